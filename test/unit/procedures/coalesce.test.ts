import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { coalesce, connectionLimits, paceOf } from '../../../main/administrator/procedures/connection.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const interval = 250

test('the first value goes out at once', () => {
  const delivered: number[] = []
  coalesce(
    async (value: number) => void delivered.push(value),
    () => interval,
  ).push(1)
  expect(delivered).toEqual([1])
})

test('a thousand values in a second are four more, the last of them the newest', async () => {
  const delivered: number[] = []
  const { push } = coalesce(
    async (value: number) => void delivered.push(value),
    () => interval,
  )
  for (let value = 0; value < 1000; value++) {
    push(value)
    await vi.advanceTimersByTimeAsync(1)
  }
  await vi.advanceTimersByTimeAsync(interval)
  expect(delivered).toEqual([0, 249, 499, 749, 999])
})

test('each screen gets values less often the more are connected, so that 200 cost what 25 do', () => {
  expect([1, 25, 26, 200].map(paceOf)).toEqual([250, 250, 260, 2_000])
  expect(200 / paceOf(200)).toBe(25 / connectionLimits.interval)
})

test('a value whose delivery fails is left out, and the next one goes out', async () => {
  const delivered: number[] = []
  const { push } = coalesce(
    async (value: number) => {
      if (value === 1) throw new Error('gone')
      delivered.push(value)
    },
    () => interval,
  )
  push(1)
  push(2)
  await vi.advanceTimersByTimeAsync(interval)
  expect(delivered).toEqual([2])
})

test('quiet for a while, the next value goes out at once again', async () => {
  const delivered: number[] = []
  const { push } = coalesce(
    async (value: number) => void delivered.push(value),
    () => interval,
  )
  push(1)
  await vi.advanceTimersByTimeAsync(interval)
  push(2)
  expect(delivered).toEqual([1, 2])
})

test('a slow reader gets the newest value when it is ready, however long that takes', async () => {
  const delivered: number[] = []
  const ready: (() => void)[] = []
  const { push } = coalesce(
    (value: number) => {
      delivered.push(value)
      return new Promise((resolve) => ready.push(resolve))
    },
    () => interval,
  )
  push(1)
  push(2)
  await vi.advanceTimersByTimeAsync(60_000)
  push(3)
  expect(delivered).toEqual([1])
  ready[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(delivered).toEqual([1, 3])
})

test('nothing is delivered after the end, and no timer stays', async () => {
  const delivered: number[] = []
  const { push, stop } = coalesce(
    async (value: number) => void delivered.push(value),
    () => interval,
  )
  push(1)
  push(2)
  stop()
  push(3)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(delivered).toEqual([1])
  expect(vi.getTimerCount()).toBe(0)
})
