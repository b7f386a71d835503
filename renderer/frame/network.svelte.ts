import type { NetworkState } from '../../main/contract/procedures/network.ts'
import { subscribe } from '../connection/client.ts'

let current = $state.raw<NetworkState | null>(null)
let isShown = $state(false)

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
  },
}

/** Starts following it; called once, by the window. */
export function followNetwork(): () => void {
  return subscribe('network', (now) => (current = now))
}
