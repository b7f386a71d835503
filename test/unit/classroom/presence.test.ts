import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPlayerPresence } from '../../../main/services/contests/human/human-matches.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('an entrant that does not come is gone, once', () => {
  const gone = vi.fn()
  createPlayerPresence(100, gone)
  vi.advanceTimersByTime(99)
  expect(gone).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1_000)
  expect(gone).toHaveBeenCalledOnce()
})

test('an entrant that comes back in time was never away; two windows are one person', () => {
  const gone = vi.fn()
  const presence = createPlayerPresence(100, gone)
  const first = presence.come()
  vi.advanceTimersByTime(1_000)
  first()
  vi.advanceTimersByTime(99)
  const [second, third] = [presence.come(), presence.come()]
  second()
  second()
  vi.advanceTimersByTime(1_000)
  expect(gone).not.toHaveBeenCalled()
  third()
  vi.advanceTimersByTime(100)
  expect(gone).toHaveBeenCalledOnce()
})

test('after the end nobody is waited for', () => {
  const gone = vi.fn()
  const presence = createPlayerPresence(100, gone)
  const leave = presence.come()
  presence.end()
  leave()
  vi.advanceTimersByTime(1_000)
  expect(gone).not.toHaveBeenCalled()
})
