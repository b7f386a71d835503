import { pairIndex } from '../../contests/statistics/bradley-terry.ts'
import { AVERAGE_RATING, entrantsOf, rateUnits, type Ratings } from '../../contests/statistics/paired-results.ts'
import type { UnitResults } from '../../contests/statistics/rating-inference.ts'

/** With more of them the results of every two would not fit into memory. */
export const RATED_MAX = 300

/** The units of one contest, and who its entrants are: numbers that mean the same in all contests. */
export interface ContestUnits {
  /** By the number of the entrant in its contest. */
  readonly who: readonly number[]
  readonly units: readonly UnitResults[]
}

/**
 * Ratings over several contests: those of Bradley and Terry, as in a single contest, from the units of all of them. `people`: the
 * number of those who are rated. They do not depend on the order of the contests.
 */
export function ratingsOver(people: number, contests: readonly ContestUnits[]): Ratings {
  if (people > RATED_MAX) return unrated
  return rateUnits(
    people,
    contests.flatMap(({ who, units }) => units.map((unit) => renumbered(unit, who))),
  )
}

const unrated: Ratings = { of: () => ({ rating: AVERAGE_RATING, interval: null }), superiority: () => null }

/** A unit with its pairs renumbered. Two entrants that are the same do not meet. */
function renumbered({ pairs, won, met, spread }: UnitResults, who: readonly number[]): UnitResults {
  const sums = new Map<number, { won: number; met: number; spread: number }>()
  for (const [at, pair] of pairs.entries()) {
    const [i, j] = entrantsOf(pair)
    const [one, other] = [who[i]!, who[j]!]
    if (one === other) continue
    const key = one < other ? pairIndex(one, other) : pairIndex(other, one)
    const sum = sums.get(key) ?? { won: 0, met: 0, spread: 0 }
    sums.set(key, sum)
    sum.won += one < other ? won[at]! : met[at]! - won[at]!
    sum.met += met[at]!
    sum.spread += spread[at]!
  }
  const sorted = [...sums].sort(([a], [b]) => a - b)
  const of = (key: 'won' | 'met' | 'spread'): Float64Array => Float64Array.from(sorted, ([, sum]) => sum[key])
  return { pairs: Uint32Array.from(sorted, ([key]) => key), won: of('won'), met: of('met'), spread: of('spread') }
}
