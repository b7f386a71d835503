import type { Interval } from '../../../contract/contests/standings.ts'
import { meanInterval } from './mean-interval.ts'

/** Lists of values, kept as sums of groups of units, for the intervals of their means. */
export interface GroupedValues {
  /** Adds a value to a list. `unit`: values of equal units depend on one another (see `PlayedMatch.unit`). */
  add(list: number, unit: number, value: number): void
  /** The interval of the mean of all values in these lists; see `meanInterval`. */
  interval(lists: readonly number[], range: Interval): Interval | null
}

/** Prime, so that an entrant who plays every 64th match, say, still has units in all groups. */
const GROUPS_MAX = 251
const GROUPS_MIN = 2
/** The maximum number of groups in all lists together. */
const CELLS_MAX = 2 ** 21

/**
 * Creates empty lists, at most `lists`. With fewer units than groups, every unit of a list is a group of its own. The
 * result does not depend on the order in which values are added, except for rounding.
 */
export function createGroupedValues(lists: number): GroupedValues {
  const groups = Math.min(GROUPS_MAX, Math.max(GROUPS_MIN, Math.floor(CELLS_MAX / Math.max(1, lists))))
  /** By list: counts, then sums. */
  const kept = new Map<number, Float64Array>()
  return {
    add(list, unit, value) {
      const cells = kept.get(list) ?? new Float64Array(2 * groups)
      kept.set(list, cells)
      const group = unit % groups
      cells[group]! += 1
      cells[groups + group]! += value
    },
    interval: (wanted, range) =>
      meanInterval(
        wanted.flatMap((list) => {
          const cells = kept.get(list)
          if (cells === undefined) return []
          return Array.from({ length: groups }, (_, group) => ({
            count: cells[group]!,
            sum: cells[groups + group]!,
          })).filter(({ count }) => count > 0)
        }),
        range,
      ),
  }
}
