import type { EntrantId } from '../../../../main/contract/ids.ts'
import type { ContestDetail, Interval } from '../../../../main/contract/procedures/procedures.ts'
import type { EntrantRating } from '../../../../main/contract/contests/standings.ts'

/** The 95 % intervals of points per match by entrant, as far as they are estimated. */
export function intervalsOf({
  standings,
  intervals,
}: Pick<ContestDetail, 'standings' | 'intervals'>): ReadonlyMap<EntrantId, Interval> {
  return new Map(
    standings.flatMap(({ agent }, at) => {
      const interval = intervals[at]
      return interval === null || interval === undefined ? [] : [[agent, interval]]
    }),
  )
}

/** The ratings by entrant, as far as the page has them. */
export function ratingsOf({
  standings,
  ratings,
}: Pick<ContestDetail, 'standings' | 'ratings'>): ReadonlyMap<EntrantId, EntrantRating> {
  return new Map(
    standings.flatMap(({ agent }, at) => (ratings[at] === undefined ? [] : [[agent, ratings[at]] as const])),
  )
}
