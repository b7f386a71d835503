import type { ContestSummary } from '../../main/contract/procedures/procedures.ts'
import { subscribe } from '../connection/client.ts'

let contests = $state.raw<readonly ContestSummary[] | null>(null)
const states = $derived((contests ?? []).map(({ contest, state }) => `${contest} ${state}`).join())

/** Running contests, for all screens. */
export const running = {
  get contests(): readonly ContestSummary[] {
    return contests ?? []
  },
  /** Changes when a contest begins, ends or waits, and never with its progress, which comes some times a second. */
  get states(): string {
    return states
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
