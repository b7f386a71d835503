import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayIn, lastTime, nextTime } from '../../../main/services/contests/recurring/recurrence-times.ts'
import { recurrence, timeZone, type Recurrence } from '../../../main/contract/contests/recurring.ts'

const DAY = 86_400_000
const daily = (time: string): Recurrence => ({ days: [1, 2, 3, 4, 5, 6, 7], time })
const at = (iso: string): number => Date.parse(iso)
const iso = (ms: number): string => new Date(ms).toISOString()

function timesFrom(when: Recurrence, zone: string, after: string, count: number): readonly string[] {
  const times: number[] = []
  for (let last = at(after); times.length < count; last = times.at(-1)!) times.push(nextTime(when, zone, last))
  return times.map(iso)
}

test('a daily time stays at its hour by the clocks of the zone when these go forward and back', () => {
  // Zurich: 29 March 2026, 02:00 becomes 03:00; 25 October 2026, 03:00 becomes 02:00.
  expect(timesFrom(daily('08:00'), 'Europe/Zurich', '2026-03-27T12:00:00Z', 3)).toEqual([
    '2026-03-28T07:00:00.000Z',
    '2026-03-29T06:00:00.000Z',
    '2026-03-30T06:00:00.000Z',
  ])
  expect(timesFrom(daily('08:00'), 'Europe/Zurich', '2026-10-23T12:00:00Z', 3)).toEqual([
    '2026-10-24T06:00:00.000Z',
    '2026-10-25T07:00:00.000Z',
    '2026-10-26T07:00:00.000Z',
  ])
})

test('a time that clocks skip is an hour later that day, and one that they show twice comes once, the first time', () => {
  expect(timesFrom(daily('02:30'), 'Europe/Zurich', '2026-03-28T02:00:00Z', 2)).toEqual([
    '2026-03-29T01:30:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ])
  expect(timesFrom(daily('02:30'), 'Europe/Zurich', '2026-10-24T12:00:00Z', 2)).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ])
  // Lord Howe Island moves its clocks by half an hour; midnight does not exist when Beirut moves its own.
  expect(timesFrom(daily('02:15'), 'Australia/Lord_Howe', '2026-10-02T20:00:00Z', 1)).toEqual([
    '2026-10-03T15:45:00.000Z',
  ])
  expect(timesFrom(daily('00:00'), 'Asia/Beirut', '2026-03-28T12:00:00Z', 1)).toEqual(['2026-03-28T22:00:00.000Z'])
})

test('a day that a zone left out altogether has no time of its own', () => {
  // Samoa had no 30 December 2011, a Friday.
  const fridays: Recurrence = { days: [5], time: '12:00' }
  const [first, second] = timesFrom(fridays, 'Pacific/Apia', '2011-12-24T00:00:00Z', 2)
  expect(first).toBe('2011-12-30T22:00:00.000Z')
  expect(second).toBe('2012-01-05T22:00:00.000Z')
})

test('days of the week are those of the zone, not of UTC', () => {
  const mondays: Recurrence = { days: [1], time: '07:00' }
  expect(timesFrom(mondays, 'Pacific/Kiritimati', '2026-11-20T00:00:00Z', 2)).toEqual([
    '2026-11-22T17:00:00.000Z',
    '2026-11-29T17:00:00.000Z',
  ])
  expect(dayIn('Pacific/Kiritimati', at('2026-11-22T17:00:00Z'))).toBe('2026-11-23')
  expect(dayIn('America/Los_Angeles', at('2026-11-22T05:00:00Z'))).toBe('2026-11-21')
})

test('next and last time enclose every moment, within eight days, and agree with each other', () => {
  const zones = ['UTC', 'Europe/Zurich', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Apia', 'Africa/Casablanca']
  const days = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }).map((some) => some.toSorted())
  const minutes = fc.integer({ min: 0, max: 24 * 60 - 1 })
  const moments = fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2060-01-01T00:00:00Z') })
  fc.assert(
    fc.property(days, minutes, fc.constantFrom(...zones), moments, (some, minute, zone, moment) => {
      const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
      const when = recurrence.parse({ days: some, time })
      const next = nextTime(when, zone, moment)
      const last = lastTime(when, zone, moment)
      expect(last).toBeLessThanOrEqual(moment)
      expect(next).toBeGreaterThan(moment)
      expect(next - last).toBeLessThanOrEqual(9 * DAY)
      expect(lastTime(when, zone, next)).toBe(next)
      expect(nextTime(when, zone, last)).toBe(next)
    }),
    { numRuns: 300 },
  )
})

test('an invalid time of a week and an unknown time zone are refused', () => {
  for (const wrong of [
    { days: [], time: '08:00' },
    { days: [0], time: '08:00' },
    { days: [2, 1], time: '08:00' },
    { days: [1, 1], time: '08:00' },
    { days: [1], time: '24:00' },
    { days: [1], time: '8:00' },
  ])
    expect(recurrence.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false)
  expect(timeZone.safeParse('').success).toBe(true)
  expect(timeZone.safeParse('Europe/Zurich').success).toBe(true)
  expect(timeZone.safeParse('Europe/Brescia').error?.issues[0]?.message).toBe(
    'expected a time zone such as Europe/Zurich',
  )
})
