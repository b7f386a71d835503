/// <reference lib="esnext.temporal" />

/** A time that lies as many days later as the first day of the new term after that of the old one, at the same time of day. */
export interface Move {
  /** Days such as 2026-09-14. */
  readonly from: string
  readonly to: string
  /** A name of the IANA database: by whose clocks the time of day stays. */
  readonly zone: string
}

/**
 * Moves a time (ISO 8601) to a new term. Days of the week stay if both first days are of the same one. A time of day that does not exist on
 * the new day, because clocks go forward, becomes as much later. Returns UTC with milliseconds.
 */
export function movedTime(time: string, { from, to, zone }: Move): string {
  const days = Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' })
  const moved = Temporal.Instant.from(time).toZonedDateTimeISO(zone).add(days)
  return new Date(moved.epochMilliseconds).toISOString()
}

/** The day of a time by the clocks of a zone. */
export const dayOf = (time: string, zone: string): string =>
  Temporal.Instant.from(time).toZonedDateTimeISO(zone).toPlainDate().toString()
