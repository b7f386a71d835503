import { describe, expect, test } from 'vitest'
import { createGroupedValues } from '../../../main/services/contests/statistics/grouped-values.ts'
import { meanInterval } from '../../../main/services/contests/statistics/mean-interval.ts'

const intervalOf = (values: readonly number[]) =>
  meanInterval(
    values.map((sum) => ({ count: 1, sum })),
    [0, 1],
  )

test('of a few values by Student’s t, as textbooks have it', () => {
  // Mean 4, standard deviation 2, t = 2.776 for four degrees of freedom.
  const [low, high] = intervalOf([2, 2, 4, 6, 6])!
  expect(low).toBeCloseTo(4 - (2.776 * 2) / Math.sqrt(5), 3)
  expect(high).toBeCloseTo(4 + (2.776 * 2) / Math.sqrt(5), 3)
})

test('of many values by the normal distribution', () => {
  const [low, high] = intervalOf(Array.from({ length: 10_000 }, (_, at) => at % 2))!
  expect([low, high]).toEqual([expect.closeTo(0.5 - 0.0098, 4), expect.closeTo(0.5 + 0.0098, 4)])
})

test('of one value there is none', () => {
  expect(intervalOf([3])).toBeNull()
  expect(intervalOf([])).toBeNull()
})

describe('of equal values it is what they leave open', () => {
  test.each([
    // Clopper and Pearson for 10 of 10: from 0.6915 to 1.
    ['all won', 1, [expect.closeTo(0.6915, 4), 1]],
    ['all lost', 0, [0, expect.closeTo(0.3085, 4)]],
    ['all tied', 0.5, [expect.closeTo(0.5 - 0.5 * 0.3085, 4), expect.closeTo(0.5 + 0.5 * 0.3085, 4)]],
  ] as const)('%s', (_, value, interval) => {
    expect(intervalOf(Array.from({ length: 10 }, () => value))).toEqual(interval)
  })

  test('rounding does not hide that they are equal', () => {
    expect(intervalOf([0.1, 0.1, 0.1])![1] - 0.1).toBeGreaterThan(0.5)
  })
})

test('values of one unit are one observation: pairs that are always shared say as little as that many ties', () => {
  const [paired, single] = [createGroupedValues(1), createGroupedValues(1)]
  for (let at = 0; at < 40; at++) {
    paired.add(0, at >> 1, at % 2)
    single.add(0, at, at % 2)
  }
  const open = 1 - 0.025 ** (1 / 20)
  expect(paired.interval([0], [0, 1])).toEqual([
    expect.closeTo(0.5 - 0.5 * open, 9),
    expect.closeTo(0.5 + 0.5 * open, 9),
  ])
  const [low, high] = single.interval([0], [0, 1])!
  expect(high - low).toBeCloseTo((2 * 1.96 * Math.sqrt(0.25 * (40 / 39))) / Math.sqrt(40), 6)
})
