import { upperTail } from './student-t.ts'

/**
 * True if the best `top` entrants are better than all others with this confidence. `cycles`: the points of each entrant
 * in each cycle so far, in which all have played equally much. It may be asked after every cycle: the error that is
 * allowed is spent over all questions, 1 / (m (m + 1)) of it after m cycles, and shared by all comparisons. Each is a
 * t-test of paired differences, and never surer than the same sign in all cycles would be by chance.
 */
export function isSeparated(cycles: readonly (readonly number[])[], top: number, confidence: number): boolean {
  const [m, n] = [cycles.length, cycles[0]?.length ?? 0]
  if (m < 2 || n <= top) return false
  const sums = Array.from({ length: n }, (_, entrant) => cycles.reduce((sum, points) => sum + points[entrant]!, 0))
  const order = [...sums.keys()].sort((a, b) => sums[b]! - sums[a]!)
  const allowed = (1 - confidence) / (m * (m + 1)) / (top * (n - top))
  if (2 ** -m > allowed) return false
  return order.slice(0, top).every((better) =>
    order.slice(top).every((worse) => {
      const differences = cycles.map((points) => points[better]! - points[worse]!)
      const mean = differences.reduce((sum, each) => sum + each, 0) / m
      const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (m - 1)
      return mean > 0 && upperTail(mean / Math.sqrt(variance / m), m - 1) <= allowed
    }),
  )
}
