import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createComparison, sampleOf } from '../../../main/services/contests/engine/replayed-sample.ts'

const numbers = (
  seed: string,
  count: number,
  sample?: number,
  fits?: (index: number) => boolean,
): readonly number[] => [...sampleOf({ seed, ...(sample === undefined ? {} : { sample }) }, count, fits)]

test('the sample follows from the seed alone, one in a hundred, and one at least where there are twenty', () => {
  expect(numbers('a', 1_000)).toHaveLength(10)
  expect(numbers('a', 1_000)).toEqual(numbers('a', 1_000))
  expect(numbers('a', 1_000)).not.toEqual(numbers('b', 1_000))
  expect(new Set(numbers('a', 1_000)).size).toBe(10)
  expect([19, 20].map((count) => numbers('a', count).length)).toEqual([0, 1])
  expect(numbers('a', 1_000, 0)).toEqual([])
  expect(numbers('a', 3, 1)).toEqual([0, 1, 2])
})

test('it is in order, and spread evenly over the schedule', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.integer({ min: 1, max: 5_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (...of) => {
        const [seed, count, sample] = of
        const chosen = numbers(seed, count, sample)
        const size = Math.max(sample > 0 && count >= 20 ? 1 : 0, Math.round(count * sample))
        expect(chosen).toHaveLength(size)
        for (const [part, index] of chosen.entries()) {
          expect(index).toBeGreaterThanOrEqual(Math.floor((part * count) / size))
          expect(index).toBeLessThan(Math.floor(((part + 1) * count) / size))
        }
      },
    ),
  )
})

test('of matches that cannot be compared there is none in it; one that can is found, be it the only one', () => {
  expect(numbers('a', 1_000, 0.1, (index) => index % 2 === 0).every((index) => index % 2 === 0)).toBe(true)
  expect(numbers('a', 1_000, 0.1, (index) => index % 2 === 0).length).toBeGreaterThan(20)
  expect(numbers('a', 1_000, 0.01, (index) => index === 777)).toEqual([777])
  expect(numbers('a', 1_000, 0.01, () => false)).toEqual([])
})

test('another end or another state is a difference; a match without a result is not', async () => {
  const played = (place: number, state: string) => ({
    outcome: { places: [{ seat: 0, rank: place, score: 1, removed: false }] },
    state: state.repeat(64),
  })
  const first = new Map([1, 2, 3, 9].map((match) => [match, played(1, 'a')]))
  const comparison = createComparison()
  comparison.expect(Uint32Array.of(1, 2, 3, 4))
  comparison.expect(Uint32Array.of(9))
  expect([comparison.size, comparison.open]).toEqual([5, 5])
  comparison.add(3, played(2, 'a'))
  comparison.add(1, played(1, 'a'))
  comparison.add(2, played(1, 'b'))
  comparison.add(4, played(1, 'a'))
  expect(comparison.open).toBe(1)
  const result = (match: number) => Promise.resolve(first.get(match) ?? null)
  expect(await comparison.result(result)).toEqual({ matches: 3, different: [2, 3] })
  comparison.add(9, played(1, 'a'))
  expect(await comparison.result(result)).toEqual({ matches: 4, different: [2, 3] })
})
