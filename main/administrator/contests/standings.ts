import type { GameContests, Tally } from '../../contract/contest-format.ts'
import type { EntrantId } from '../../contract/ids.ts'
import { DETAIL_MAX } from '../../contract/procedures.ts'
import { winnerOf } from '../../contract/outcome.ts'
import { createGroupedValues } from '../statistics/grouped-values.ts'
import { addCounts, createPointsRange, namedCounts, pointsOf, zeroCounts } from './counting.ts'

/** Creates the empty default tables, which rank entrants by points, for formats without their own tables. */
export function createTally(names: readonly EntrantId[], contests: GameContests = {}): Tally {
  const rows = names.map((agent) => ({ agent, points: 0, matches: 0, wins: 0, faults: 0, removals: 0, score: 0 }))
  /** Points, by entrant. */
  const values = createGroupedValues(names.length)
  const range = createPointsRange(contests)
  const counts = names.map(() => zeroCounts(contests))
  const places = new Map(names.map((name, at) => [name, at]))
  // A larger head-to-head table would be unreadable and would not fit into memory.
  const heads = names.length > DETAIL_MAX ? [] : names
  const better = heads.map(() => heads.map(() => 0))
  const met = heads.map(() => heads.map(() => 0))

  return {
    add({ entrants, outcome, faults, extras, unit }) {
      const at = outcome.places.map(({ seat }) => {
        const entrant = places.get(entrants[seat] ?? '') ?? -1
        return extras.includes(entrant) ? -1 : entrant
      })
      const points = pointsOf(outcome, contests)
      range.add(outcome, points)
      const winner = winnerOf(outcome)
      for (const [index, place] of outcome.places.entries()) {
        const row = rows[at[index]!]
        if (row === undefined) continue
        row.matches += 1
        row.points += points[index]!
        values.add(at[index]!, unit, points[index]!)
        addCounts(contests, outcome, counts[at[index]!]!)
        row.score += place.score
        row.faults += faults[place.seat] ?? 0
        if (index === winner) row.wins += 1
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
      const sorted = rows
        .map((row, at) => ({ ...row, ...namedCounts(contests, counts[at]!) }))
        .sort((a, b) => b.points - a.points)
      let rank = 0
      return sorted.map((row, at) => {
        if (row.points !== sorted[at - 1]?.points) rank = at + 1
        return { ...row, rank }
      })
    },
    intervals: () =>
      new Map(
        rows.flatMap(({ agent }, at) => {
          const interval = values.interval([at], range.of())
          return interval === null ? [] : [[agent, interval]]
        }),
      ),
    headToHead: () => ({ names: heads, better: better.map((row) => [...row]), met: met.map((row) => [...row]) }),
    tables: () => ({}),
  }
}
