import type { GameContests } from '../../../contract/contests/contest-format.ts'
import type { EntrantId } from '../../../contract/ids.ts'
import type { Outcome } from '../../../contract/game/outcome.ts'
import type { SeatResult } from '../../../contract/contests/standings.ts'
import { pointsOf, shownScore } from '../formats/counting.ts'

/** The results of entrants in each seat, over all matches that count. */
export interface SeatResults {
  /** `extras`: indices of entrants for whom the match does not count. */
  add(entrants: readonly EntrantId[], outcome: Outcome, extras: readonly number[]): void
  /** By seat, as far as the entrant has sat; empty without a match. */
  of(entrant: number): readonly SeatResult[]
}

export function createSeatResults(names: readonly EntrantId[], contests: GameContests): SeatResults {
  const places = new Map(names.map((name, at) => [name, at]))
  const sums = names.map((): { matches: number; points: number; score: number }[] => [])
  return {
    add(entrants, outcome, extras) {
      const points = pointsOf(outcome, contests)
      for (const [at, { seat, score }] of outcome.places.entries()) {
        const entrant = places.get(entrants[seat] ?? '') ?? -1
        const seats = extras.includes(entrant) ? undefined : sums[entrant]
        if (seats === undefined) continue
        while (seats.length <= seat) seats.push({ matches: 0, points: 0, score: 0 })
        const sum = seats[seat]!
        sum.matches += 1
        sum.points += points[at]!
        sum.score += score
      }
    },
    of: (entrant) => sums[entrant]!.map((sum) => ({ ...sum, score: shownScore(sum.score, contests) })),
  }
}
