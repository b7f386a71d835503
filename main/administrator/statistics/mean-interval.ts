import type { Interval } from '../../contract/standings.ts'

/** Quantiles of Student's t at 0.975 for 1 to 30 degrees of freedom. */
const T = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
] as const
/** With more, the quantile of the normal distribution. */
const Z = 1.96

/**
 * The 95 % confidence interval of the mean of `n` independent values, given their sum and the sum of their squares.
 * null: fewer than two values, which say nothing about their spread.
 */
export function meanInterval(n: number, sum: number, squares: number): Interval | null {
  if (n < 2) return null
  const mean = sum / n
  // Rounding must not make a variance of equal values negative.
  const variance = Math.max(0, (squares - sum * mean) / (n - 1))
  const half = (T[n - 2] ?? Z) * Math.sqrt(variance / n)
  return [mean - half, mean + half]
}
