import type { SeatId } from '../../../contract/ids.ts'
import { winnerOf, type Outcome } from '../../../contract/game/outcome.ts'

/** The result of an entrant in a match, over all the seats that it had. Most games give an entrant one seat. */
export interface EntrantPlace {
  /** Its index; -1: the match does not count for it. */
  readonly entrant: number
  readonly seats: readonly SeatId[]
  /** That of its best place. */
  readonly rank: number
  /** The sums over its seats. */
  readonly points: number
  readonly score: number
  /** In how many of its seats it was removed. */
  readonly removals: number
  /** The reason of the first removal; undefined if the game gives none. */
  readonly reason: string | undefined
}

/**
 * The places of a match by entrant, in the order of their first seats. `points`: by index in `outcome.places`.
 * `entrantAt`: the index of a seat's entrant; -1: the match does not count for it, and its seats stay apart.
 */
export function entrantPlaces(
  { places }: Outcome,
  points: readonly number[],
  entrantAt: (seat: SeatId) => number,
): readonly EntrantPlace[] {
  const result: EntrantPlace[] = []
  for (const [at, { seat, rank, score, removed, reason }] of places.entries()) {
    const entrant = entrantAt(seat)
    const known = entrant === -1 ? -1 : result.findIndex((place) => place.entrant === entrant)
    const own = { entrant, seats: [seat], rank, points: points[at]!, score, removals: Number(removed), reason }
    if (known === -1) result.push(own)
    else result[known] = joined(result[known]!, own)
  }
  return result
}

/** The index of the place of the only winner; see `winnerOf`. */
export function winnerOfEntrants(places: readonly EntrantPlace[]): number {
  return winnerOf({
    places: places.map(({ rank, removals, seats }) => ({ rank, removed: removals === seats.length })),
  })
}

const joined = (one: EntrantPlace, other: EntrantPlace): EntrantPlace => ({
  entrant: one.entrant,
  seats: [...one.seats, ...other.seats],
  rank: Math.min(one.rank, other.rank),
  points: one.points + other.points,
  score: one.score + other.score,
  removals: one.removals + other.removals,
  reason: one.reason ?? other.reason,
})
