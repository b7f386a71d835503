import { expect, test } from 'vitest'
import {
  allowed,
  bandsIn,
  barsOf,
  countsIn,
  rangeOf,
  thresholdNames,
  withThreshold,
} from '../../../renderer/screens/grades/distribution.ts'

const text = 'grade = 1\nbands 90 "A", 50 "B", else "C"'
const bands = bandsIn(text)

test('a handle moves in steps of a half, between its neighbours, and rewrites only its number', () => {
  expect(bands.map(({ from, label }) => [from, label])).toEqual([
    [90, 'A'],
    [50, 'B'],
    [null, 'C'],
  ])
  expect([allowed(bands, 0, 72.3), allowed(bands, 0, 10), allowed(bands, 1, 99), allowed(bands, 1, -4)]).toEqual([
    72.5, 50.5, 89.5, 0,
  ])
  // Between thresholds that are not halves.
  const odd = bandsIn('grade = 1 bands 90 "A", 50.2 "B", 49.9 "C"')
  expect([allowed(odd, 0, 0), allowed(odd, 2, 100)]).toEqual([50.5, 50])
  // Neighbours that leave no room.
  const close = bandsIn('grade = 1 bands 75.2 "A", 75.1 "B", 75 "C"')
  expect([allowed(close, 1, 0), allowed(close, 1, 100)]).toEqual([75.1, 75.1])
  expect(countsIn(bandsIn('grade = 1 bands 90 "A", 50 "A"'), [95, 60, 70])).toEqual([1, 2])
  expect(thresholdNames(['A', 'B', 'A'])).toEqual(['Threshold of A', 'Threshold of B', 'Threshold of A (2)'])
  expect(withThreshold(text, bands[1]!, 62.5)).toBe('grade = 1\nbands 90 "A", 62.5 "B", else "C"')
  expect(withThreshold(text, bands[2]!, 3)).toBe(text)
  // A second move is written over the first one, though that has another length.
  const moved = withThreshold(text, bands[0]!, 100)
  expect(withThreshold(moved, bandsIn(moved)[1]!, 62.5)).toBe('grade = 1\nbands 100 "A", 62.5 "B", else "C"')
  expect(bandsIn('grade = bands')).toEqual([])
})

test('bars hold every grade once, also those outside of 0 to 100', () => {
  const values = [-5, 0, 49.9, 50, 100, 120]
  const range = rangeOf(values, bands)
  expect(range).toEqual([-5, 120])
  // 45 to 70 holds 49.9 and 50.
  expect(barsOf(values, range, 5).map(({ from, count }) => [from, count])).toEqual([
    [-5, 2],
    [20, 0],
    [45, 2],
    [70, 0],
    [95, 2],
  ])
  expect(countsIn(bands, values)).toEqual([2, 1, 3])
})
