import type { ContestSummary } from '../../main/contract/procedures/procedures.ts'
import { subscribe } from '../connection/client.ts'

const statesOf = (running: readonly ContestSummary[]): string =>
  running.map(({ contest, state }) => `${contest} ${state}`).join()

let contests = $state.raw<readonly ContestSummary[] | null>(null)
/** The states in the first list. */
let first = $state('')
const now = $derived(contests === null ? null : statesOf(contests))
const states = $derived(now === first ? null : now)

/** Running contests, for all screens. */
export const running = {
  get contests(): readonly ContestSummary[] {
    return contests ?? []
  },
  /**
   * Changes when a contest begins, ends or waits, and never with its progress, which comes some times a second. null: as it was at first,
   * so that the first list is not a change.
   */
  get states(): string | null {
    return states
  },
  /** False until the program has sent the list of running contests. */
  get known(): boolean {
    return contests !== null
  },
}

/** Starts following them; called once, by the window. */
export function followRunning(): () => void {
  return subscribe('status', (list) => {
    if (contests === null) first = statesOf(list)
    contests = list
  })
}
