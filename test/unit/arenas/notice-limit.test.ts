import { expect, test, vi } from 'vitest'
import { createNoticeLimit } from '../../../main/arenas/rate-limit.ts'

test('a flood of notices about one thing is told now and then, the newest one; others are told at once', async () => {
  const told: string[] = []
  const limit = createNoticeLimit((text) => told.push(text), { most: 2, everyMs: 50, keys: 10 })
  for (let n = 0; n < 20; n++) limit.notice('anna', `anna ${n}`)
  limit.notice('bob', 'bob')
  expect(told).toEqual(['anna 0', 'anna 1', 'bob'])
  await vi.waitUntil(() => told.length === 4)
  expect(told[3]).toBe('anna 19 (17 earlier notices are left out.)')
})

test('a single notice that had to wait is told as it is, and none after the end', async () => {
  const told: string[] = []
  const limit = createNoticeLimit((text) => told.push(text), { most: 1, everyMs: 20, keys: 10 })
  limit.notice('anna', 'in')
  limit.notice('anna', 'out')
  await vi.waitUntil(() => told.length === 2)
  expect(told).toEqual(['in', 'out'])
  const closed = createNoticeLimit((text) => told.push(text), { most: 1, everyMs: 20, keys: 10 })
  closed.notice('bob', 'in')
  closed.notice('bob', 'out')
  closed.close()
  limit.notice('anna', 'in again')
  await vi.waitUntil(() => told.length === 4)
  expect(told).toEqual(['in', 'out', 'in', 'in again'])
})
