import { sharedClient, type LinkState } from './client.ts'

let state = $state<LinkState>('connecting')
let epoch = $state(0)

/** The connection, for screens. `epoch` grows with each connection: data loaded earlier may be out of date. */
export const link = {
  get state(): LinkState {
    return state
  },
  get epoch(): number {
    return epoch
  },
}

/** Starts following the connection; called once, by the window. */
export function followLink(): () => void {
  return sharedClient().onLink((now) => {
    // Before the first connection there was no data.
    if (now === 'up' && (state === 'lost' || state === 'locked')) epoch += 1
    state = now
  })
}
