import type { Interval } from '../../../contract/contests/standings.ts'
import { tQuantile } from './student-t.ts'

/** Values that depend on one another, such as those of a match and its return match: their number and sum. */
export interface ValueGroup {
  readonly count: number
  readonly sum: number
}

/** With fewer groups there is no interval: nothing is known of their scatter. */
const GROUPS_MIN = 4
/** The probability beyond each end of the interval. */
const TAIL = 0.025
/**
 * The variance of independent values that are all the least or the largest possible, which nearly no others exceed, counts
 * as much as some groups against the variance that was seen. For Student's t it is known better.
 */
const USUAL_GROUPS = 3
const USUAL_FREEDOM = 8

/**
 * The 95 % confidence interval of the mean of values that are independent between groups; null: too few groups.
 * `range`: the least and the largest possible value. If both are finite, the interval is Wilson's with Student's t, and
 * with the variance that the groups show: it lies within the range, and is right for a few matches that are all won or all
 * tied too. If one is infinite, it is Student's, up to the finite one.
 */
export function meanInterval(groups: readonly ValueGroup[], range: Interval): Interval | null {
  const n = groups.length
  if (n < GROUPS_MIN) return null
  const count = groups.reduce((all, group) => all + group.count, 0)
  const mean = groups.reduce((all, group) => all + group.sum, 0) / count
  const squares = groups.reduce((all, group) => all + (group.sum - mean * group.count) ** 2, 0)
  const variance = (squares * n) / (n - 1) / count ** 2
  const [low, high] = [Math.min(mean, range[0]), Math.max(mean, range[1])]
  if (!Number.isFinite(high - low)) {
    const cubes = groups.reduce((all, group) => all + (group.sum - mean * group.count) ** 3, 0)
    const [below, above] = skewed(n, squares === 0 ? 0 : cubes / n / (squares / n) ** 1.5)
    const error = Math.sqrt(variance)
    return [Math.max(low, mean - above * error), Math.min(high, mean + below * error)]
  }
  if (high === low) return [low, high]
  const [from, to] = wilson((mean - low) / (high - low), variance / (high - low) ** 2, count, n)
  return [low + from * (high - low), low + to * (high - low)]
}

/**
 * How far the studentized mean of `n` skewed values goes below and above its expectation, in standard errors: Student's t,
 * by Hall's transformation (1992), which is monotonic.
 */
function skewed(n: number, skewness: number): readonly [below: number, above: number] {
  const t = tQuantile(TAIL, n - 1)
  const a = skewness / Math.sqrt(n)
  if (Math.abs(a) < 1e-6) return [t, t]
  const at = (z: number): number => (3 / a) * (Math.cbrt(1 + a * (z - a / 6)) - 1)
  return [-at(-t), at(t)]
}

/** The interval of a mean of values from 0 to 1. `variance`: of the mean, as `groups` groups of `count` values show it. */
function wilson(mean: number, variance: number, count: number, groups: number): Interval {
  // At 0 and 1 values would have no variance.
  const share = (mean * count + 0.5) / (count + 1)
  const binomial = share * (1 - share)
  // Hundreds of values that are nearly all the same tell as little of their scatter as a few others.
  const tails = Math.max(0, groups / (count * binomial) - 6)
  const seen = (groups - 1) / (1 + tails / 2)
  const dispersion = ((seen * variance * count) / binomial + USUAL_GROUPS) / (seen + USUAL_GROUPS)
  const spread = (tQuantile(TAIL, seen + USUAL_FREEDOM) ** 2 * dispersion) / count
  const middle = (mean + spread / 2) / (1 + spread)
  const half = Math.sqrt(spread * mean * (1 - mean) + spread ** 2 / 4) / (1 + spread)
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}
