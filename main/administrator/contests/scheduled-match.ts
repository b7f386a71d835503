import type { MatchNumber } from '../../contract/ids.ts'

/** One match to play. `entrants`: indices into the description's entrants, in seat order. */
export interface ScheduledMatch {
  readonly match: MatchNumber
  readonly entrants: readonly number[]
  /** The number of 32 bits that the match's seed begins with, where the format says which scenario is played. */
  readonly scenario?: number
}

/**
 * Matches that can be played now, in their order. Each is made when it is asked for and follows from the contest's description
 * and, after the first stage, from its results: millions that wait for their turn take no memory.
 */
export interface Schedule extends Iterable<ScheduledMatch> {
  readonly length: number
  /** The number of the match at index 0; those after it have the numbers that follow. */
  readonly first: MatchNumber
  /** `index`: from 0 to below `length`. */
  at(index: number): ScheduledMatch
}

/** A schedule of matches that `make` gives by their index, without their numbers. */
export function scheduleFrom(
  first: MatchNumber,
  length: number,
  make: (index: number) => Omit<ScheduledMatch, 'match'>,
): Schedule {
  const at = (index: number): ScheduledMatch => ({ match: first + index, ...make(index) })
  return {
    first,
    length,
    at,
    *[Symbol.iterator]() {
      for (let index = 0; index < length; index++) yield at(index)
    },
  }
}
