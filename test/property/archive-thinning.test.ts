import fc from 'fast-check'
import { expect, test } from 'vitest'
import { surplus } from '../../main/services/archive/thinning.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const kept = (times: readonly number[], now: number): readonly number[] => {
  const gone = new Set(surplus(times, now))
  return times.filter((time) => !gone.has(time))
}
const now = Date.parse('2026-11-28T12:00:00Z')
const times = fc
  .uniqueArray(fc.integer({ min: -3 * 365 * 24, max: 24 }), { minLength: 1, maxLength: 400 })
  .map((hours) => hours.map((each) => now + each * HOUR))

test('the newest backup and those of the last day stay, and thinning again changes nothing', () => {
  fc.assert(
    fc.property(times, (all) => {
      const left = kept(all, now)
      expect(left).toContain(Math.max(...all))
      expect(left.filter((time) => time > now - DAY)).toEqual(all.filter((time) => time > now - DAY))
      expect(kept(left, now)).toEqual(left)
      expect(kept(all.toReversed(), now).toSorted()).toEqual(left.toSorted())
    }),
  )
})

test('a day, week or month with backups keeps one of them', () => {
  fc.assert(
    fc.property(times, (all) => {
      const left = kept(all, now)
      for (const time of all) {
        const age = now - time
        const span = age < 30 * DAY ? DAY : age < 182 * DAY ? 7 * DAY : 30 * DAY
        expect(left.some((each) => Math.abs(each - time) < span)).toBe(true)
      }
    }),
  )
})

test('after three years of hourly backups there are fewer than a hundred and fifty, with no gap that is too long', () => {
  const first = now - 3 * 365 * DAY
  let left: readonly number[] = []
  for (let time = first; time <= now; time += HOUR) left = kept([...left, time], time)
  expect(left.length).toBeLessThan(150)
  const ages = left.map((time) => now - time).toSorted((a, b) => a - b)
  for (const [at, age] of ages.slice(1).entries()) {
    const gap = age - ages[at]!
    expect(gap).toBeLessThanOrEqual(
      age <= DAY ? HOUR : age < 31 * DAY ? 2 * DAY : age < 190 * DAY ? 14 * DAY : 60 * DAY,
    )
  }
})
