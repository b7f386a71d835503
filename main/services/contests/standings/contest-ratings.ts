import type { ContestFormat, GameContests } from '../../../contract/contests/contest-format.ts'
import type { EntrantId, MatchNumber } from '../../../contract/ids.ts'
import type { Outcome } from '../../../contract/game/outcome.ts'
import { createPairedResults, type Ratings } from '../statistics/paired-results.ts'
import { createRatedInOrder } from '../statistics/rated-in-order.ts'
import type { UnitResults } from '../statistics/rating-inference.ts'
import { pointsOf } from '../formats/counting.ts'
import { countedPlaces, createRoleComparison } from './role-comparison.ts'
import type { StagePlace } from '../schedule/stages.ts'

/**
 * How strong the entrants of a contest are: from the ranks of its matches, or in a game with roles from the points in
 * each role (see `createRoleComparison`).
 */
export interface ContestRatings {
  add(match: MatchNumber, entrants: readonly EntrantId[], outcome: Outcome, place: StagePlace): void
  /** A match that does not count. */
  skip(match: MatchNumber, place: StagePlace): void
  ratings(): Ratings
  /** The meetings of every two entrants by unit; empty for more than `PAIRED_MAX` entrants. */
  meetings(): readonly UnitResults[]
}

/** For more entrants the results of every two of them would not fit into memory. */
export const PAIRED_MAX = 200

/** Ratings of more than `PAIRED_MAX` entrants are OpenSkill's, by ranks, whatever format and game say. */
export function createContestRatings(
  names: readonly EntrantId[],
  { rating }: Pick<ContestFormat, 'rating'>,
  contests: GameContests = {},
): ContestRatings {
  const { roleOf } = contests
  const places = new Map(names.map((name, at) => [name, at]))
  const paired = names.length <= PAIRED_MAX ? createPairedResults(names.length) : null
  const isPaired = paired !== null && (rating === undefined || roleOf !== undefined)
  const inOrder = isPaired ? null : createRatedInOrder(names.length)
  if (paired !== null && roleOf !== undefined) {
    const byRole = createRoleComparison(paired.meet)
    return {
      add(_match, entrants, outcome, { extras, unit, unitSize }) {
        const points = pointsOf(outcome, contests)
        byRole.add(unit, unitSize, countedPlaces(outcome, points, entrants, places, extras, roleOf))
      },
      skip: (_match, { unit, unitSize }) => byRole.skip(unit, unitSize),
      ratings: () => paired.ratings(),
      meetings: () => paired.units(),
    }
  }
  return {
    add(match, entrants, outcome, { extras, unit }) {
      const counted = outcome.places.flatMap(({ seat, rank }) => {
        const entrant = places.get(entrants[seat] ?? '')
        return entrant === undefined || extras.includes(entrant) ? [] : [{ entrant, rank }]
      })
      const seated = counted.map(({ entrant }) => entrant)
      const ranks = counted.map(({ rank }) => rank)
      paired?.add(unit, seated, ranks)
      inOrder?.add(match, seated, ranks)
    },
    skip: (match) => inOrder?.skip(match),
    ratings: () => (inOrder ?? paired)!.ratings(),
    meetings: () => paired?.units() ?? [],
  }
}
