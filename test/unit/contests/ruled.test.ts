import { expect, test } from 'vitest'
import type { PlacedDecision } from '../../../main/contract/contests/decisions.ts'
import type { Remedy } from '../../../main/contract/contests/rulings.ts'
import { ruledBy } from '../../../main/services/contests/standings/ruled.ts'

const rules = (...remedies: Remedy[]): PlacedDecision => ({
  ...{ stage: 1, matches: 1 },
  decision: {
    type: 'ruling',
    ruling: {
      ...{ number: 1, case: 'case-1', entry: 'a'.repeat(64), at: '2026-11-28T01:00:00.000Z' },
      remedies,
    },
  },
})
const forfeits = (entrant: string): PlacedDecision => rules({ type: 'forfeit', entrant, matches: 'all' })

test.each([
  [
    [9, -5],
    [-5, -5],
  ],
  [
    [9, 5],
    [0, 5],
  ],
  [
    [-9, -5],
    [-9, -5],
  ],
])('whoever forfeits a match of scores %j is not ahead: %j', (scores, counted) => {
  const places = scores.map((score, seat) => ({ seat, score, rank: seat + 1, removed: false }))
  const found = ruledBy([forfeits('A')]).counted(0, ['A', 'B'], { places })
  expect(found?.outcome.places.map(({ score }) => score)).toEqual(counted)
  expect(found?.outcome.places.map(({ rank }) => rank)).toEqual([2, 1])
})

test('energy that a ruling takes in a match is in the unit of tables, and ranks those anew who finished it', () => {
  const places = [
    { seat: 0, score: 900, rank: 1, removed: false },
    { seat: 1, score: 500, rank: 2, removed: false },
    { seat: 2, score: 990, rank: 3, removed: true },
  ]
  const take = (energy: number, entrant = 'A'): Remedy => ({ type: 'energy', entrant, match: 4, energy })
  const found = (match: number, ...remedies: Remedy[]) =>
    ruledBy([rules(...remedies)], { scoreUnit: 100 })
      .counted(match, ['A', 'B', 'C'], { places })!
      .outcome.places.map(({ score, rank }) => [score, rank])
  expect(found(4, take(-4.5))).toEqual([
    [450, 2],
    [500, 1],
    [990, 3],
  ])
  expect(found(4, take(-3), take(-1))).toEqual([
    [500, 1],
    [500, 1],
    [990, 3],
  ])
  // Whoever was removed stays behind, and another match is as it was.
  expect(found(4, take(9, 'C'))[2]).toEqual([1890, 3])
  expect(found(5, take(-4.5))).toEqual(places.map(({ score, rank }) => [score, rank]))
})
