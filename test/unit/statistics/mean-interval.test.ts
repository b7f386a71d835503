import { expect, test } from 'vitest'
import { meanInterval } from '../../../main/administrator/statistics/mean-interval.ts'

const intervalOf = (values: readonly number[]) =>
  meanInterval(
    values.length,
    values.reduce((sum, each) => sum + each, 0),
    values.reduce((sum, each) => sum + each ** 2, 0),
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

test('of equal values it is a point, and of one value there is none', () => {
  expect(intervalOf([0.1, 0.1, 0.1])).toEqual([expect.closeTo(0.1), expect.closeTo(0.1)])
  expect(intervalOf([3])).toBeNull()
  expect(intervalOf([])).toBeNull()
})
