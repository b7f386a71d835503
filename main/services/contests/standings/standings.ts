import type { GameContests, Tally } from '../../../contract/contests/contest-format.ts'
import type { EntrantId } from '../../../contract/ids.ts'
import { DETAIL_MAX } from '../../../contract/procedures/procedures.ts'
import { createGroupedValues, type GroupedValues } from '../statistics/grouped-values.ts'
import { addCounts, createPointsRange, namedCounts, pointsOf, shownScore, zeroCounts } from '../formats/counting.ts'
import { entrantPlaces, winnerOfEntrants } from '../formats/entrant-places.ts'
import type { CombinedRow, Interval, StandingRow } from '../../../contract/contests/standings.ts'

/** The intervals of the means of the entrants' lists. */
function intervalsOf(
  names: readonly EntrantId[],
  values: GroupedValues,
  range: Interval,
): ReadonlyMap<EntrantId, Interval> {
  return new Map(
    names.flatMap((name, at) => {
      const interval = values.interval([at], range)
      return interval === null ? [] : [[name, interval] as const]
    }),
  )
}

/**
 * Creates the empty default tables, which rank entrants by points, for formats without their own tables. `ruled`: points that
 * rulings give or take, by entrant.
 */
export function createTally(
  names: readonly EntrantId[],
  contests: GameContests = {},
  ruled: readonly number[] = [],
): Tally {
  const rows = names.map((agent, at) => ({
    agent,
    points: ruled[at] ?? 0,
    matches: 0,
    wins: 0,
    faults: 0,
    removals: 0,
    score: 0,
  }))
  /** Points, by entrant. */
  const values = createGroupedValues(names.length)
  const range = createPointsRange(contests)
  const counts = names.map(() => zeroCounts(contests))
  const places = new Map(names.map((name, at) => [name, at]))
  // A larger head-to-head table would be unreadable and would not fit into memory.
  const heads = names.length > DETAIL_MAX ? [] : names
  /** Shares of the others that were placed before, by entrant. */
  const shares = createGroupedValues(heads.length)
  const better = heads.map(() => heads.map(() => 0))
  const meetings = heads.map(() => heads.map(() => 0))

  return {
    add({ entrants, outcome, faults, extras, unit }) {
      const met = entrantPlaces(outcome, pointsOf(outcome, contests), (seat) => {
        const entrant = places.get(entrants[seat] ?? '') ?? -1
        return extras.includes(entrant) ? -1 : entrant
      })
      range.add(
        outcome,
        met.map(({ points }) => points),
      )
      const winner = winnerOfEntrants(met)
      for (const [index, { entrant, seats, points, score, removals }] of met.entries()) {
        const row = rows[entrant]
        if (row === undefined) continue
        row.matches += 1
        row.points += points
        values.add(entrant, unit, points)
        addCounts(contests, outcome, counts[entrant]!)
        row.score += score
        for (const seat of seats) row.faults += faults[seat] ?? 0
        if (index === winner) row.wins += 1
        if (removals > 0) row.removals += 1
      }
      if (heads.length === 0) return
      for (const one of met) {
        const [betterOf, metOf] = [better[one.entrant], meetings[one.entrant]]
        if (betterOf === undefined || metOf === undefined) continue
        let [sum, count] = [0, 0]
        for (const other of met) {
          if (other === one || other.entrant === -1) continue
          const result = one.rank < other.rank ? 1 : one.rank === other.rank ? 0.5 : 0
          metOf[other.entrant]! += 1
          betterOf[other.entrant]! += result
          sum += result
          count += 1
        }
        if (count > 0) shares.add(one.entrant, unit, sum / count)
      }
    },
    standings() {
      const sorted = rows
        .map((row, at) => ({
          ...row,
          score: shownScore(row.score, contests),
          ...namedCounts(contests, counts[at]!),
        }))
        .sort((a, b) => b.points - a.points)
      let rank = 0
      return sorted.map((row, at) => {
        if (row.points !== sorted[at - 1]?.points) rank = at + 1
        return { ...row, rank }
      })
    },
    intervals: () => intervalsOf(names, values, range.of()),
    shareIntervals: () => intervalsOf(heads, shares, [0, 1]),
    headToHead: () => ({ names: heads, better: better.map((row) => [...row]), met: meetings.map((row) => [...row]) }),
    tables: () => ({}),
  }
}

/** The results of one phase of a contest. */
export interface PhaseResult {
  readonly weight: number
  readonly standings: readonly StandingRow[]
}

/**
 * The standings over all phases, best first: the sum of each phase's points times its weight. If a phase eliminates
 * entrants, points of different rounds cannot be compared, so its ranks count instead: one point for each entrant ranked
 * lower, half for each tied one. An agent that did not take part in a phase has no points in it. Tied entrants share a
 * rank, in the order of the last phase.
 */
export function combinedStandings(phases: readonly PhaseResult[]): readonly CombinedRow[] {
  const results = phases.map(({ standings }) => resultsOf(standings))
  const agents = new Set(phases.toReversed().flatMap(({ standings }) => standings.map(({ agent }) => agent)))
  const rows = [...agents].map((agent) => {
    const byPhase = results.map((result) => result.get(agent) ?? null)
    const points = byPhase.reduce((sum: number, each, at) => sum + (each ?? 0) * phases[at]!.weight, 0)
    // Sums of weighted decimals, such as 0.1 and 0.2, are not exact.
    return { agent, points: Number(points.toPrecision(12)), byPhase }
  })
  const sorted = rows.toSorted((a, b) => b.points - a.points)
  let rank = 0
  return sorted.map((row, at) => {
    if (row.points !== sorted[at - 1]?.points) rank = at + 1
    return { ...row, rank }
  })
}

function resultsOf(standings: readonly StandingRow[]): ReadonlyMap<string, number> {
  const eliminates = standings.some(({ stage }) => stage !== undefined)
  const lowerThan = (rank: number): number => {
    const tied = standings.filter((row) => row.rank === rank).length
    return standings.filter((row) => row.rank > rank).length + (tied - 1) / 2
  }
  return new Map(standings.map(({ agent, rank, points }) => [agent, eliminates ? lowerThan(rank) : points]))
}
