import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ReportedPauses } from '../../../main/players/network/pauses.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'hrtime'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('however many pauses a match has, none of their time is lost', () => {
  const reported = new ReportedPauses()
  const meter = reported.meter()
  const begun = Number(process.hrtime.bigint()) / 1e6
  for (let n = 0; n < 10_000; n++) reported.add([{ from: begun + n * 30, to: begun + n * 30 + 15, ms: 15 }])
  expect(meter()!.waitMs).toBeCloseTo(150_000)
})

test('pauses that ended before a question count for nothing, one that goes on counts from its beginning', () => {
  const reported = new ReportedPauses()
  const begun = Number(process.hrtime.bigint()) / 1e6
  reported.add([
    { from: begun - 300, to: begun - 200, ms: 100 },
    { from: begun - 100, to: begun + 50, ms: 150 },
  ])
  expect(reported.meter()()!.waitMs).toBeCloseTo(50)
})
