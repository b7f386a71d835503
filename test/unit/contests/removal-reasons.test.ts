import { expect, test } from 'vitest'
import { createRemovalReasons } from '../../../main/services/contests/standings/contest-counts.ts'

test('removals are counted by entrant and reason, without the numbers in which they differ', () => {
  const reasons = createRemovalReasons(['ada', 'ben', 'cy'])
  const match = (seated: readonly string[], reason?: string): void => {
    const lost = { seat: 1, rank: 2, score: 0, removed: true, ...(reason === undefined ? {} : { reason }) }
    reasons.add(seated, { places: [{ seat: 0, rank: 1, score: 1, removed: false }, lost] })
  }
  match(['ada', 'ben'], 'Its payoff was 0.9.')
  match(['ada', 'ben'], 'Its payoff was 0.95.')
  match(['ben', 'cy'], 'Line 3: no.')
  match(['cy', 'ben'])
  expect(reasons.rows()).toEqual([
    { agent: 'ben', matches: 2, reason: 'Its payoff was ….' },
    { agent: 'ben', matches: 1, reason: 'No reason was recorded.' },
    { agent: 'cy', matches: 1, reason: 'Line 3: no.' },
  ])
  for (let at = 0; at < 100; at += 1) match(['ada', 'cy'], 'x'.repeat(at + 1))
  expect(reasons.rows().filter(({ agent }) => agent === 'cy').length).toBeLessThan(25)
  expect(reasons.rows().reduce((sum, { matches }) => sum + matches, 0)).toBe(104)
})
