import type { Pairing, Pairings } from '../../../contract/contests/contest-format.ts'
import type { MatchNumber } from '../../../contract/ids.ts'

/** One match to play. */
export interface ScheduledMatch extends Pairing {
  readonly match: MatchNumber
}

/**
 * The maximum number of attempts at a match that host faults void, so that an agent cannot gain rematches by
 * overloading the machine.
 */
export const ATTEMPTS_MAX = 3

/**
 * The matches of one stage of a contest, in order. Each is computed on request, so that millions of waiting matches
 * take no memory.
 */
export interface Schedule extends Iterable<ScheduledMatch> {
  readonly length: number
  /** The number of the match at index 0; the others are numbered consecutively. */
  readonly first: MatchNumber
  /** `index`: from 0 to below `length`. */
  at(index: number): ScheduledMatch
}

/** Numbers pairings from `first` on. */
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
