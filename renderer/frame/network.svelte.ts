import type { NetworkState } from '../../main/contract/procedures/network.ts'
import { may } from '../caller.svelte.ts'
import { subscribe } from '../connection/client.ts'
import { followForCaller } from './follow-caller.ts'

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
  const leave = followForCaller(() =>
    may('network.state') ? subscribe('network', (now) => void (current = now)) : null,
  )
  return () => {
    leave()
    // The window may be seen as somebody else next.
    current = null
  }
}
