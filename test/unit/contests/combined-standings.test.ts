import { expect, test } from 'vitest'
import { combinedStandings } from '../../../main/services/contests/standings/standings.ts'
import type { StandingRow } from '../../../main/contract/contests/standings.ts'

const row = (agent: string, rank: number, points: number, stage?: number): StandingRow => {
  const counted = { matches: 2, wins: 0, faults: 0, removals: 0, score: 0 }
  return { agent, rank, points, ...counted, ...(stage === undefined ? {} : { stage }) }
}

test('points of the phases are added with their weights', () => {
  const first = [row('anna', 1, 5), row('bert', 2, 3), row('carl', 3, 1)]
  const second = [row('carl', 1, 4), row('bert', 2, 3), row('anna', 3, 2)]
  expect(combinedStandings([{ weight: 1, standings: first }])).toEqual([
    { agent: 'anna', rank: 1, points: 5, byPhase: [5] },
    { agent: 'bert', rank: 2, points: 3, byPhase: [3] },
    { agent: 'carl', rank: 3, points: 1, byPhase: [1] },
  ])
  // 5 + 2 * 2, 3 + 2 * 3, 1 + 2 * 4: all have nine, and the last phase decides on their order.
  expect(
    combinedStandings([
      { weight: 1, standings: first },
      { weight: 2, standings: second },
    ]),
  ).toEqual([
    { agent: 'carl', rank: 1, points: 9, byPhase: [1, 4] },
    { agent: 'bert', rank: 1, points: 9, byPhase: [3, 3] },
    { agent: 'anna', rank: 1, points: 9, byPhase: [5, 2] },
  ])
})

test('an entrant that misses a phase has no points in it, and decimals do not break ties', () => {
  const first = [row('anna', 1, 1), row('bert', 2, 0)]
  const second = [row('anna', 1, 1), row('carl', 1, 1)]
  const third = [row('carl', 1, 1)]
  const combined = combinedStandings([
    { weight: 0.1, standings: first },
    { weight: 0.2, standings: second },
    { weight: 0.1, standings: third },
  ])
  expect(combined).toEqual([
    { agent: 'carl', rank: 1, points: 0.3, byPhase: [null, 1, 1] },
    { agent: 'anna', rank: 1, points: 0.3, byPhase: [1, 1, null] },
    { agent: 'bert', rank: 3, points: 0, byPhase: [0, null, null] },
  ])
})

test('of a phase that eliminates entrants ranks count, because the points are those of the last round of each', () => {
  // The winner of the final has fewer points than who was eliminated in a long first round.
  const knockout = [row('anna', 1, 2, 2), row('bert', 2, 1, 2), row('carl', 3, 9, 1), row('dora', 3, 8, 1)]
  expect(combinedStandings([{ weight: 2, standings: knockout }])).toEqual([
    { agent: 'anna', rank: 1, points: 6, byPhase: [3] },
    { agent: 'bert', rank: 2, points: 4, byPhase: [2] },
    { agent: 'carl', rank: 3, points: 1, byPhase: [0.5] },
    { agent: 'dora', rank: 3, points: 1, byPhase: [0.5] },
  ])
})
