import type { ContestSummary } from '../../main/contract/procedures.ts'
import { subscribe } from '../client.ts'

let contests = $state.raw<readonly ContestSummary[]>([])

/** Running contests, for all screens. */
export const running = {
  get contests(): readonly ContestSummary[] {
    return contests
  },
}

/** Starts following them; called once, by the window. */
export function followRunning(): () => void {
  return subscribe('status', (now) => (contests = now))
}
