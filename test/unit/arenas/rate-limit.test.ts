import { expect, test } from 'vitest'
import { createRateLimit } from '../../../main/arenas/rate-limit.ts'

test('it may happen so often at once, and then once in a while; others are not concerned', () => {
  let now = 1_000
  const rate = createRateLimit({ most: 3, everyMs: 100, keys: 2 }, () => now)
  for (const before of [0, 1, 2]) {
    expect(rate.wait('a'), `after ${before}`).toBe(0)
    rate.count('a')
  }
  expect(rate.wait('a')).toBe(100)
  expect(rate.wait('b')).toBe(0)
  now += 60
  expect(rate.wait('a')).toBe(40)
  now += 40
  expect(rate.wait('a')).toBe(0)
  rate.count('a')
  expect(rate.wait('a')).toBe(100)
  now += 300
  rate.count('a')
  rate.count('a')
  expect(rate.wait('a')).toBe(0)
  rate.count('a')
  expect(rate.wait('a')).toBe(100)
})

test('of keys that were counted the newest are remembered', () => {
  const rate = createRateLimit({ most: 1, everyMs: 100, keys: 2 }, () => 0)
  for (const key of ['a', 'b', 'a', 'c']) rate.count(key)
  expect(['a', 'b', 'c'].map((key) => rate.wait(key) > 0)).toEqual([true, false, true])
})
