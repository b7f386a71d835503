import type { MatchNumber } from '../../contract/ids.ts'

/** One match to play. `entrants`: indices into the description's entrants, in seat order. */
export interface ScheduledMatch {
  readonly match: MatchNumber
  readonly entrants: readonly number[]
  /** The number of 32 bits that the match's seed begins with, where the format says which scenario is played. */
  readonly scenario?: number
}
