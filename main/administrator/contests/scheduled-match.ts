import type { Pairing, Pairings } from '../../contract/contest-format.ts'
import type { MatchNumber } from '../../contract/ids.ts'

/** One match to play. */
export interface ScheduledMatch extends Pairing {
  readonly match: MatchNumber
}

/**
 * Matches that can be played now, in their order: a stage of a contest. Each is made when it is asked for: millions that wait for
 * their turn take no memory.
 */
export interface Schedule extends Iterable<ScheduledMatch> {
  readonly length: number
  /** The number of the match at index 0; those after it have the numbers that follow. */
  readonly first: MatchNumber
  /** `index`: from 0 to below `length`. */
  at(index: number): ScheduledMatch
}

/** Pairings with their numbers, from `first` on. */
export function scheduleFrom(first: MatchNumber, pairings: Pairings): Schedule {
  const { length } = pairings
  const at = (index: number): ScheduledMatch => ({ match: first + index, ...pairings.at(index)! })
  return {
    first,
    length,
    at,
    *[Symbol.iterator]() {
      for (let index = 0; index < length; index++) yield at(index)
    },
  }
}
