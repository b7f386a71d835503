import type { ContestSummary } from '../../main/contract/procedures.ts'
import { subscribe } from '../client.ts'

let contests = $state.raw<readonly ContestSummary[]>([])

/** Contests that run now, for every screen. */
export const running = {
  get contests(): readonly ContestSummary[] {
    return contests
  },
}

/** Starts to follow them; once, by the window. */
export function followRunning(): () => void {
  return subscribe('status', (now) => (contests = now))
}
