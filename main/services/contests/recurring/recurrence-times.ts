/// <reference lib="esnext.temporal" />
import type { Recurrence } from '../../../contract/contests/recurring.ts'

// The times of a recurring contest, as ms since the epoch; a pure function of its days, its time of day and a time zone.
// If clocks go forward over the time of day, the contest begins as long after the jump as it would have been after its
// beginning (02:30 becomes 03:30); if they go back over it, it begins the first time only.

/** Days of a week, and one more because zones are not in step with UTC. */
const SPAN = 8

/** The first time after this one. `zone`: a name of the IANA database. */
export function nextTime(when: Recurrence, zone: string, after: number): number {
  const today = dateAt(after, zone)
  for (let day = -1; day <= SPAN; day++) {
    const time = timeOn(when, zone, today.add({ days: day }))
    if (time !== null && time > after) return time
  }
  throw new Error(`no time follows ${after}: a recurrence has at least one day of the week`)
}

/** The last time before or at this one. */
export function lastTime(when: Recurrence, zone: string, until: number): number {
  const today = dateAt(until, zone)
  for (let day = 1; day >= -SPAN; day--) {
    const time = timeOn(when, zone, today.add({ days: day }))
    if (time !== null && time <= until) return time
  }
  throw new Error(`no time precedes ${until}: a recurrence has at least one day of the week`)
}

/** The date by the clocks of a zone, such as 2026-11-24. */
export const dayIn = (zone: string, at: number): string => dateAt(at, zone).toString()

const dateAt = (at: number, zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate()

/** The time on a date; null: not on this day of the week. */
function timeOn({ days, time }: Recurrence, zone: string, date: Temporal.PlainDate): number | null {
  if (!days.includes(date.dayOfWeek)) return null
  return date.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds
}
