import type { Interval } from '../../../contract/contests/standings.ts'

/** Quantiles of Student's t at 0.975 for 1 to 30 degrees of freedom. */
const T = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
] as const
/** With more, the quantile of the normal distribution. */
const Z = 1.96
/** The probability beyond each end of the interval. */
const TAIL = 0.025

/** Values that depend on one another, such as those of a match and its return match: their number and sum. */
export interface ValueGroup {
  readonly count: number
  readonly sum: number
}

/**
 * The 95 % confidence interval of the mean of values that are independent between groups; for groups of one value it is
 * Student's. Equal values have no variance, but say little if there are few: then it is what a binomial test leaves open
 * for the share of other values, all of which would lie at an end of `range`, the least and the largest possible value.
 * null: fewer than two groups, which say nothing about their spread.
 */
export function meanInterval(groups: readonly ValueGroup[], range: Interval): Interval | null {
  const n = groups.length
  if (n < 2) return null
  const count = groups.reduce((all, group) => all + group.count, 0)
  const mean = groups.reduce((all, group) => all + group.sum, 0) / count
  const squares = groups.reduce((all, group) => all + (group.sum - mean * group.count) ** 2, 0)
  const half = ((T[n - 2] ?? Z) * Math.sqrt((squares * n) / (n - 1))) / count
  const [low, high] = [Math.min(mean, range[0]), Math.max(mean, range[1])]
  // Rounding gives equal values a tiny variance.
  if (half > 1e-9 * (high - low)) return [mean - half, mean + half]
  const open = 1 - TAIL ** (1 / n)
  return [mean - open * (mean - low), mean + open * (high - mean)]
}
