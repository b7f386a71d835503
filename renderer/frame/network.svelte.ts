import type { NetworkState } from '../../main/contract/procedures/network.ts'
import { askWhoCalls, may } from '../caller.svelte.ts'
import { sharedClient, subscribe } from '../connection/client.ts'

let current = $state.raw<NetworkState | null>(null)
let isShown = $state(false)
let wasShown = $state(false)

/** The class on the network, for all screens. */
export const network = {
  /** null: not known, or not for this person. */
  get state(): NetworkState | null {
    return current
  },
  /** True while the dialog is open that opens and closes the class. */
  get isShown(): boolean {
    return isShown
  },
  set isShown(value: boolean) {
    isShown = value
    if (value) wasShown = true
  },
  /** True once the dialog has been opened. */
  get wasShown(): boolean {
    return wasShown
  },
}

/** Starts following it, if this person is an educator; called once, by the window. */
export function followNetwork(): () => void {
  let end: (() => void) | null = null
  let isOver = false
  const follow = async (): Promise<void> => {
    await askWhoCalls()
    if (may('network.state') && end === null && !isOver) end = subscribe('network', (now) => (current = now))
  }
  const leave = sharedClient().onLink((state) => {
    // Without a connection there is another one later, which asks again.
    if (state === 'up' && end === null) void follow().catch(() => undefined)
  })
  return () => {
    isOver = true
    leave()
    end?.()
    // The window may be seen as somebody else next.
    current = null
  }
}
