import { theClient, type LinkState } from './client.ts'

let state = $state<LinkState>('connecting')
let epoch = $state(0)

/** The connection, for screens. `epoch` grows when it comes (back): what was loaded before may be old by then. */
export const link = {
  get state(): LinkState {
    return state
  },
  get epoch(): number {
    return epoch
  },
}

/** Starts to follow the connection; once, by the window. */
export function followLink(): () => void {
  return theClient().onLink((now) => {
    // The first connection makes nothing old.
    if (now === 'up' && state === 'lost') epoch += 1
    state = now
  })
}
