import { drawBelow, shuffled } from '../../../contract/random.ts'
import { BLOCK } from './streets.ts'
import type { Sketch, Street } from './town.ts'

/** The share of shortcuts that start at headquarters, which has the most in Hyde Park. */
const FROM_HEADQUARTERS = 0.1

/** The share of shortcuts that are one-way. */
const ONE_WAY = 0.08

/** Corners along a straight street that a shortcut passes over: its length in blocks. */
const LENGTH = { least: 2, most: 6 }

/**
 * Shortcuts that only cars may take: along straight avenues and streets over several blocks. `most`: the number of ways,
 * where a two-way shortcut counts twice.
 */
export function shortcutsOf(
  { corners }: Sketch,
  headquarters: number,
  most: number,
  next: () => number,
): readonly Street[] {
  const shortcuts: Street[] = []
  const known = new Set<string>()
  let ways = 0
  const add = (from: number, to: number): void => {
    const key = from < to ? `${from} ${to}` : `${to} ${from}`
    const oneWay = drawBelow(next, 100) < 100 * ONE_WAY
    const cost = oneWay ? 1 : 2
    if (known.has(key) || ways + cost > most) return
    known.add(key)
    shortcuts.push({ from, to, oneWay })
    ways += cost
  }
  const candidates = (from: number): readonly number[] =>
    [...corners.keys()].filter((to) => {
      const dx = Math.abs(corners[to]!.x - corners[from]!.x) / BLOCK.width
      const dy = Math.abs(corners[to]!.y - corners[from]!.y) / BLOCK.height
      return Number.isInteger(dx + dy) && Math.min(dx, dy) === 0 && isLength(dx + dy)
    })
  const fromHeadquarters = Math.round(most * FROM_HEADQUARTERS)
  for (const to of shuffled(candidates(headquarters), next)) if (ways < fromHeadquarters) add(headquarters, to)
  for (const from of shuffled([...corners.keys()], next)) {
    const targets = candidates(from)
    if (targets.length > 0) add(from, targets[drawBelow(next, targets.length)]!)
  }
  return shortcuts
}

const isLength = (blocks: number): boolean => blocks >= LENGTH.least && blocks <= LENGTH.most
