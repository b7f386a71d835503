import { expect, test } from 'vitest'
import type { PlacedDecision } from '../../../main/contract/contests/decisions.ts'
import { ruledBy } from '../../../main/services/contests/standings/ruled.ts'

const forfeits = (entrant: string): PlacedDecision => ({
  ...{ stage: 1, matches: 1 },
  decision: {
    type: 'ruling',
    ruling: {
      ...{ number: 1, case: 'case-1', entry: 'a'.repeat(64), at: '2026-11-28T01:00:00.000Z' },
      remedies: [{ type: 'forfeit', entrant, matches: 'all' }],
    },
  },
})

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
