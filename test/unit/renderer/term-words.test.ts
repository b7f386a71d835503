import { expect, test } from 'vitest'
import { courseOf, scaleOf } from '../../../renderer/screens/grades/term-words.ts'

const after = (rating: number) => ({
  ...{ contest: 'c', entrant: 'e', rank: 1, of: 2, points: 1, score: 100 },
  after: { rating, interval: null },
})
const row = { rating: 1_600, interval: [1_500, 1_700] as const, results: [after(1_400), after(1_600)] }

test('the scale holds intervals and earlier ratings, and a course climbs from its lowest to its highest', () => {
  const scale = scaleOf([row])
  expect([scale(1_400), scale(1_700), scale(1_550)]).toEqual([0, 1, 0.5])
  expect(courseOf(row, scale)).toBe('2,22.0 62,8.7')
  expect(scaleOf([{ rating: 1_500, interval: null, results: [] }])(1_500)).toBe(0.5)
})
