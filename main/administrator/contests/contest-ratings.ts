import type { ContestFormat } from '../../contract/contest-format.ts'
import type { EntrantId, MatchNumber } from '../../contract/ids.ts'
import type { Outcome } from '../../contract/outcome.ts'
import { createPairedResults, type Ratings } from '../statistics/paired-results.ts'
import { createRatedInOrder } from '../statistics/rated-in-order.ts'
import type { StagePlace } from './stages.ts'

/** How strong the entrants of a contest are, from the ranks of its matches. */
export interface ContestRatings {
  add(match: MatchNumber, entrants: readonly EntrantId[], outcome: Outcome, place: StagePlace): void
  /** A match that does not count. */
  skip(match: MatchNumber): void
  ratings(): Ratings
}

/** For more entrants the results of every two of them would not fit into memory. */
const PAIRED_MAX = 200
/** Units of different stages have different numbers. */
const STAGE_UNITS = 2 ** 32

export function createContestRatings(
  names: readonly EntrantId[],
  { rating }: Pick<ContestFormat, 'rating'>,
): ContestRatings {
  const places = new Map(names.map((name, at) => [name, at]))
  const paired = rating === undefined && names.length <= PAIRED_MAX ? createPairedResults(names.length) : null
  const inOrder = paired === null ? createRatedInOrder(names.length) : null
  return {
    add(match, entrants, outcome, { stage, extras, unit }) {
      const counted = outcome.places.flatMap(({ seat, rank }) => {
        const entrant = places.get(entrants[seat] ?? '')
        return entrant === undefined || extras.includes(entrant) ? [] : [{ entrant, rank }]
      })
      const seated = counted.map(({ entrant }) => entrant)
      const ranks = counted.map(({ rank }) => rank)
      paired?.add(unit === undefined ? match : stage * STAGE_UNITS + unit.id, seated, ranks)
      inOrder?.add(match, seated, ranks)
    },
    skip: (match) => inOrder?.skip(match),
    ratings: () => (paired ?? inOrder)!.ratings(),
  }
}
