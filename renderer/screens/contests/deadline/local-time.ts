// Times in fields of the kind `datetime-local`, by the clocks of this computer.

/** A time as the text of a field; '' for an invalid one. `iso`: ISO 8601. */
export function fieldOf(iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The text of a field as a time in UTC with milliseconds; null: it is not a time. */
export function timeOf(field: string): string | null {
  const date = new Date(field)
  return field === '' || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** The last minute of the day of `at`, ms, by the clocks of this computer, as ISO 8601. */
export function endOfDay(at: number): string {
  const day = new Date(at)
  day.setHours(23, 59, 0, 0)
  return day.toISOString()
}

/** The time zone of this computer, such as `Europe/Zurich`. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
