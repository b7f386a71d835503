import type { MatchNumber } from '../../../contract/ids.ts'
import type { Ruled } from './ruled.ts'

/**
 * The matches that rulings have played again, in the order of the rulings. They are played when all matches of the schedule are over, with
 * the numbers that follow these, so that each has a seed of its own by the contest's rule; a match that is played again can be annulled, too.
 */
export interface Replays {
  readonly length: number
  /** The match of the schedule in whose place a match is played: itself for one of the schedule; null: the match is unknown. */
  rootOf(match: MatchNumber): MatchNumber | null
  /** True for one that the rulings want: reversed ones leave its number, and nothing is played or counted for it. */
  isWanted(match: MatchNumber): boolean
}

/** `scheduled`: the number of matches of the schedule, as far as it is known. */
export function replaysOf(
  { replays, isReplaced }: Pick<Ruled, 'replays' | 'isReplaced'>,
  scheduled: () => number,
): Replays {
  /** The match that is played again with this number; undefined: none is. */
  const earlier = (match: MatchNumber): MatchNumber | undefined => {
    const of = replays[match - scheduled()]
    return of !== undefined && of < match ? of : undefined
  }
  const rootOf = (match: MatchNumber): MatchNumber | null => {
    if (match < scheduled()) return match
    const of = earlier(match)
    return of === undefined ? null : rootOf(of)
  }
  const isWanted = (match: MatchNumber): boolean => {
    if (match < scheduled()) return true
    const of = earlier(match)
    return of !== undefined && isReplaced(of) && isWanted(of)
  }
  return { length: replays.length, rootOf, isWanted }
}
