import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayOf, movedTime } from '../../../main/services/archive/moved-dates.ts'

const zone = 'Europe/Zurich'

test('times move by days of the calendar and keep their time of day over changes of the clocks', () => {
  const move = { from: '2026-09-14', to: '2027-02-22', zone }
  // 161 days: from summer time to winter time, and a day of the week stays.
  expect(movedTime('2026-09-25T20:00:00.000Z', move)).toBe('2027-03-05T21:00:00.000Z')
  expect(movedTime('2026-09-25T22:00:00+02:00', move)).toBe('2027-03-05T21:00:00.000Z')
  // 29 March, 2 October: both in summer time.
  expect(movedTime('2026-10-20T10:00:00.000Z', move)).toBe('2027-03-30T10:00:00.000Z')
  // 02:30 does not exist on 28 March 2027.
  expect(movedTime('2026-10-18T00:30:00.000Z', move)).toBe('2027-03-28T01:30:00.000Z')
})

test('a move there and back gives the same day, and days keep their distances', () => {
  const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(day, day, day, (time, one, other) => {
      const [from, to] = [one, other].map((each) => each.toISOString().slice(0, 10)) as [string, string]
      const moved = movedTime(time.toISOString(), { from, to, zone })
      expect(dayOf(movedTime(moved, { from: to, to: from, zone }), zone)).toBe(dayOf(time.toISOString(), zone))
      const days = (a: string, b: string): number => (Date.parse(b) - Date.parse(a)) / 86_400_000
      expect(days(dayOf(time.toISOString(), zone), dayOf(moved, zone))).toBe(days(from, to))
    }),
  )
})
