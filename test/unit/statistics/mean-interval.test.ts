import { describe, expect, test } from 'vitest'
import { createGroupedValues } from '../../../main/services/contests/statistics/grouped-values.ts'
import { meanInterval } from '../../../main/services/contests/statistics/mean-interval.ts'

const intervalOf = (values: readonly number[], range: readonly [number, number] = [0, 1]) =>
  meanInterval(
    values.map((sum) => ({ count: 1, sum })),
    range,
  )

test('of values without bounds it is Student’s, as textbooks have it', () => {
  // Mean 4, standard deviation 2, t = 2.776 for four degrees of freedom; not skewed.
  const [low, high] = intervalOf([1.3, 3.5, 4, 4.5, 6.7], [-Infinity, Infinity])!
  const deviation = Math.sqrt((2 * 2.7 ** 2 + 2 * 0.5 ** 2) / 4)
  expect(low).toBeCloseTo(4 - (2.776 * deviation) / Math.sqrt(5), 3)
  expect(high).toBeCloseTo(4 + (2.776 * deviation) / Math.sqrt(5), 3)
})

test('of skewed values it reaches further to the side of the rare ones, and not beyond a bound', () => {
  const [low, high] = intervalOf([1, 1, 2, 2, 3, 15], [0, Infinity])!
  expect(high - 4).toBeGreaterThan(4 - low)
  expect(low).toBeGreaterThanOrEqual(0)
})

test('of many values by the normal distribution', () => {
  const [low, high] = intervalOf(Array.from({ length: 10_000 }, (_, at) => at % 2))!
  expect([low, high]).toEqual([expect.closeTo(0.5 - 0.0098, 4), expect.closeTo(0.5 + 0.0098, 4)])
})

test('of fewer than four values there is none', () => {
  expect(intervalOf([0, 1, 0])).toBeNull()
  expect(intervalOf([])).toBeNull()
  expect(intervalOf([0, 1, 0, 1])).not.toBeNull()
})

test('lies within the possible values, also of a few far apart', () => {
  for (const values of [
    [0, 1, 1, 1],
    [0, 0, 0, 1],
    [1, 1, 1, 1],
    [0, 0, 0.5, 1, 1],
  ]) {
    const [low, high] = intervalOf(values)!
    expect(low).toBeGreaterThanOrEqual(0)
    expect(high).toBeLessThanOrEqual(1)
    expect(low).toBeLessThan(high)
  }
})

describe('of equal values it is what they leave open', () => {
  test.each([
    // About as Clopper and Pearson have it: for 10 of 10 from 0.69.
    ['all won', 1, 0.67, 1],
    ['all lost', 0, 0, 0.33],
    ['all tied', 0.5, 0.34, 0.66],
  ] as const)('%s', (_, value, low, high) => {
    const found = intervalOf(Array.from({ length: 10 }, () => value))!
    expect(found).toEqual([expect.closeTo(low, 1), expect.closeTo(high, 1)])
    expect(found[1] - found[0]).toBeGreaterThan(0.25)
  })

  test('rounding does not hide that they are equal', () => {
    expect(intervalOf([0.1, 0.1, 0.1, 0.1])![1] - 0.1).toBeGreaterThan(0.3)
  })
})

test('values of one unit are one observation: pairs that are always shared say as little as that many ties', () => {
  const [paired, single] = [createGroupedValues(1), createGroupedValues(1)]
  for (let at = 0; at < 40; at++) {
    paired.add(0, at >> 1, at % 2)
    single.add(0, at, at % 2)
  }
  const width = ([low, high]: readonly [number, number]): number => high - low
  expect(width(paired.interval([0], [0, 1])!)).toBeLessThan(0.5 * width(single.interval([0], [0, 1])!))
  expect(width(single.interval([0], [0, 1])!)).toBeCloseTo((2 * 1.96 * 0.5) / Math.sqrt(40), 1)
})
