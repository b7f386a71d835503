// Selects the backups of a schedule that stay, by a pure function of their times.

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** For each age up to `until`, the newest backup of each span stays; spans begin at fixed times, so that thinning again changes nothing. ms. */
const steps = [
  { until: 30 * DAY, span: DAY },
  { until: 182 * DAY, span: 7 * DAY },
  { until: Number.POSITIVE_INFINITY, span: 30 * DAY },
] as const

/**
 * The times of the backups that can be deleted: all of the last 24 hours stay, then one a day for 30 days, one a week for half a year, and one
 * in 30 days after that. The newest one stays always, and so do times to come, which a clock that was set back leaves. ms since the epoch.
 */
export function surplus(times: readonly number[], now: number): readonly number[] {
  const newest = Math.max(...times)
  const seen = new Set<string>()
  return times
    .toSorted((a, b) => b - a)
    .filter((time) => {
      const age = now - time
      if (age < DAY || time === newest) return false
      const step = steps.findIndex(({ until }) => age < until)
      const key = `${step} ${Math.floor(time / steps[step]!.span)}`
      const isSurplus = seen.has(key)
      seen.add(key)
      return isSurplus
    })
}
