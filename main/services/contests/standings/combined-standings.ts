import type { CombinedRow, StandingRow } from '../../../contract/contests/standings.ts'

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
