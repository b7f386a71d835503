import type { GameContests, OutcomeCount } from '../../../contract/contests/contest-format.ts'
import type { Outcome } from '../../../contract/game/outcome.ts'
import type { CountColumn, Counts, Interval } from '../../../contract/contests/standings.ts'

/**
 * The points of each place of an outcome by the game's rule; by default one for each player ranked lower, half for a
 * tie.
 */
export function pointsOf(outcome: Outcome, { points }: GameContests): readonly number[] {
  if (points !== undefined) return points(outcome)
  const { places } = outcome
  const shared = new Map<number, number>()
  for (const { rank } of places) shared.set(rank, (shared.get(rank) ?? 0) + 1)
  let behind = places.length
  const byRank = new Map<number, number>()
  for (const [rank, count] of [...shared].sort(([a], [b]) => a - b)) {
    behind -= count
    byRank.set(rank, behind + (count - 1) / 2)
  }
  return places.map(({ rank }) => byRank.get(rank)!)
}

/** A score of an outcome, or a sum of scores, in the unit of the game's tables. */
export const shownScore = (score: number, { scoreUnit = 1 }: GameContests): number => score / scoreUnit

/** The least and the largest points that a match could have given, by the game's rule or by the matches so far. */
export interface PointsRange {
  add(outcome: Outcome, points: readonly number[]): void
  /** [0, 0] before the first match, unless the game says more. */
  of(): Interval
}

export function createPointsRange(contests: GameContests): PointsRange {
  const sizes = new Set<number>()
  let range = contests.pointsRange ?? null
  const include = (points: readonly number[]): void => {
    for (const each of points) range = [Math.min(each, range?.[0] ?? each), Math.max(each, range?.[1] ?? each)]
  }
  return {
    add(outcome, points) {
      include(points)
      const { places } = outcome
      if (sizes.has(places.length)) return
      sizes.add(places.length)
      // If points depend on places, a match without ties gives all the points that are possible.
      include(pointsOf({ ...outcome, places: places.map((place, at) => ({ ...place, rank: at + 1 })) }, contests))
    },
    of: () => range ?? [0, 0],
  }
}

const none: readonly OutcomeCount[] = []

/** The initial values of a game's counts, in order. */
export function zeroCounts({ counts = none }: GameContests): number[] {
  return counts.map(() => 0)
}

/** Adds a match's outcome to the counts. */
export function addCounts({ counts = none }: GameContests, outcome: Outcome, to: number[]): void {
  for (let at = 0; at < counts.length; at++) to[at]! += counts[at]!.of(outcome)
}

/** Counts by their ids, as a part of a row; empty if the game has no counts. */
export function namedCounts({ counts = none }: GameContests, numbers: readonly number[]): { readonly counts?: Counts } {
  if (counts.length === 0) return {}
  return { counts: Object.fromEntries(counts.map(({ id }, at) => [id, numbers[at]!])) }
}

/** The columns of a game's counts. */
export function countColumns({ counts = none }: GameContests): readonly CountColumn[] {
  return counts.map(({ id, label, per }) => ({ id, label, ...(per === undefined ? {} : { per }) }))
}
