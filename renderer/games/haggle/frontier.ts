import { worth } from '../../../main/referees/haggle/rules.ts'
import type { Scenario } from './rules.ts'

/** The worth of a division to each side. */
export type Worths = readonly [number, number]

/** Maximum work for a picture, in steps of the sum below. */
const STEPS_MAX = 20_000_000

/**
 * The Pareto frontier of a scenario: what divisions are worth to the two sides, without those that are worth less to one and no more to
 * the other. From the best for the first side on. null: it would take too long to work out.
 */
export function frontierOf({ counts, values }: Pick<Scenario, 'counts' | 'values'>): readonly Worths[] | null {
  const total = worth(counts, values[0])
  const objects = counts.reduce((sum, count) => sum + count + 1, 0)
  if (objects * (total + 1) > STEPS_MAX) return null
  /** best[a]: the most that the second side can have where the first has a; -1: the first cannot have that. */
  let best = new Float64Array(total + 1).fill(-1)
  best[0] = 0
  for (const [type, count] of counts.entries()) {
    const [mine, theirs] = [values[0][type]!, values[1][type]!]
    const next = new Float64Array(total + 1).fill(-1)
    for (let own = 0; own <= total; own++) {
      if (best[own]! < 0) continue
      for (let taken = 0; taken <= count; taken++) {
        const sum = own + taken * mine
        next[sum] = Math.max(next[sum]!, best[own]! + (count - taken) * theirs)
      }
    }
    best = next
  }
  const frontier: Worths[] = []
  for (let own = total; own >= 0; own--) {
    const other = best[own]!
    if (other > (frontier.at(-1)?.[1] ?? -1)) frontier.push([own, other])
  }
  return frontier
}

/**
 * The Nash point of a frontier: the division with the largest product of the two worths, which neither side can improve on
 * without taking more from the other in proportion. If several, the one with the more equal worths; null: an empty frontier.
 */
export function nashPoint(frontier: readonly Worths[]): Worths | null {
  const better = ([a, b]: Worths, [c, d]: Worths): boolean =>
    a * b > c * d || (a * b === c * d && Math.abs(a - b) < Math.abs(c - d))
  return frontier.reduce<Worths | null>((best, each) => (best === null || better(each, best) ? each : best), null)
}
