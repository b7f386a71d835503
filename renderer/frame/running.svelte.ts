import type { ContestSummary } from '../../main/contract/procedures/procedures.ts'
import { subscribe } from '../connection/client.ts'

let contests = $state.raw<readonly ContestSummary[] | null>(null)

/** Running contests, for all screens. */
export const running = {
  get contests(): readonly ContestSummary[] {
    return contests ?? []
  },
  /** False until the program has sent the list of running contests. */
  get known(): boolean {
    return contests !== null
  },
}

/** Starts following them; called once, by the window. */
export function followRunning(): () => void {
  return subscribe('status', (now) => (contests = now))
}
