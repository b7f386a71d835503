import type { EntrantId } from '../../contract/ids.ts'
import type { Outcome } from '../../contract/outcome.ts'
import {
  DETAIL_MAX,
  type HeadToHead,
  type PairRow,
  type StandingRow,
  type WalkedAway,
} from '../../contract/procedures.ts'

/** What standings need of a finished match: read from its history. */
export interface PlayedMatch {
  /** Pseudonyms in seat order. */
  readonly entrants: readonly EntrantId[]
  readonly outcome: Outcome
  /** Faults of each seat, `host` not counted. */
  readonly faults: readonly number[]
}

/** A contest's tables, brought up to date match by match. What they say does not depend on the order of the matches. */
export interface Tally {
  /** Counts a match. Every match is to be counted once; entrants that are not of the contest are passed over. */
  add(played: PlayedMatch): void
  /** Best first. Entrants level on points share a rank and keep the order of the description. */
  standings(): readonly StandingRow[]
  /** Who ended before whom, in the order of the description; without names where there are more than `DETAIL_MAX`. */
  headToHead(): HeadToHead
  /** Of a contest of ordered pairs: how each pair fared, and why sessions were broken off. Else nothing. */
  pairs(): readonly PairRow[]
  walkedAway(): readonly WalkedAway[]
}

/** Empty tables for these entrants. */
export function createTally(names: readonly EntrantId[]): Tally {
  const rows = names.map((agent) => ({ agent, points: 0, matches: 0, wins: 0, faults: 0, removals: 0, score: 0 }))
  const places = new Map(names.map((name, at) => [name, at]))
  // Beyond, nobody could read who beat whom, and no memory holds it.
  const heads = names.length > DETAIL_MAX ? [] : names
  const better = heads.map(() => heads.map(() => 0))
  const met = heads.map(() => heads.map(() => 0))

  return {
    add({ entrants, outcome, faults }) {
      const at = outcome.places.map(({ seat }) => places.get(entrants[seat] ?? '') ?? -1)
      const points = pointsOf(outcome)
      for (const [index, place] of outcome.places.entries()) {
        const row = rows[at[index]!]
        if (row === undefined) continue
        row.matches += 1
        row.points += points.get(place.rank)!
        row.score += place.score
        row.faults += faults[place.seat] ?? 0
        // Where nobody was left, nobody has won.
        if (place.rank === 1 && !place.removed) row.wins += 1
        if (place.removed) row.removals += 1
      }
      if (heads.length === 0) return
      for (const [i, one] of outcome.places.entries()) {
        for (const [j, other] of outcome.places.entries()) {
          const [betterOf, metOf] = [better[at[i]!], met[at[i]!]]
          if (i === j || betterOf === undefined || metOf === undefined || at[j] === -1) continue
          metOf[at[j]!]! += 1
          betterOf[at[j]!]! += one.rank < other.rank ? 1 : one.rank === other.rank ? 0.5 : 0
        }
      }
    },
    standings() {
      const sorted = [...rows].sort((a, b) => b.points - a.points)
      let rank = 0
      return sorted.map((row, at) => {
        if (row.points !== sorted[at - 1]?.points) rank = at + 1
        return { ...row, rank }
      })
    },
    pairs: () => [],
    walkedAway: () => [],
    headToHead: () => ({ names: heads, better: better.map((row) => [...row]), met: met.map((row) => [...row]) }),
  }
}

/** The points of each rank: one for every player left behind, half for every player level with. */
function pointsOf({ places }: Outcome): ReadonlyMap<number, number> {
  const shared = new Map<number, number>()
  for (const { rank } of places) shared.set(rank, (shared.get(rank) ?? 0) + 1)
  let behind = places.length
  const points = new Map<number, number>()
  for (const [rank, count] of [...shared].sort(([a], [b]) => a - b)) {
    behind -= count
    points.set(rank, behind + (count - 1) / 2)
  }
  return points
}
