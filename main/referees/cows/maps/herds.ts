import { drawBelow, shuffled } from '../../../contract/random.ts'
import { cellAt, isInCorral, turned, type Ground } from './ground.ts'
import type { Cell } from './map-file.ts'

/** Cows of one herd; the last herd may be smaller. */
const HERD = 10

/**
 * Cows in herds on free cells outside the corrals, each with its image under a half turn: `cows` of them, one fewer if the number is
 * odd, or as many as find room.
 */
export function placeHerds(ground: Ground, cows: number, taken: ReadonlySet<number>, next: () => number): Set<number> {
  const free = freeCells(ground).filter((number) => !taken.has(number) && number < turned(ground, number))
  const placed = new Set<number>()
  while (2 * placed.size < cows - 1 && free.length > placed.size) {
    const center = free[drawBelow(next, free.length)]!
    const most = Math.min(HERD, Math.floor(cows / 2) - placed.size)
    const near = nearest(ground, free, cellAt(ground, center)).filter((number) => !placed.has(number))
    // Twice as many cells as cows, so that herds are not blocks.
    for (const number of shuffled(near.slice(0, 2 * most), next).slice(0, most)) placed.add(number)
  }
  return new Set([...placed].flatMap((number) => [number, turned(ground, number)]))
}

/** The herders of both teams: those of team 0 as near as possible to the middle of the west side, with a cell between them. */
export function placeHerders(ground: Ground, herders: number): readonly [readonly number[], readonly number[]] {
  const west = freeCells(ground).filter((number) => 2 * cellAt(ground, number)[0] < ground.width - 2)
  const start: Cell = [Math.floor(ground.width / 6), Math.floor(ground.height / 2)]
  const near = nearest(ground, west, start)
  const spaced = near.filter((number) => cellAt(ground, number).every((coordinate) => coordinate % 2 === 0))
  const cells = (spaced.length < herders ? near : spaced).slice(0, herders)
  return [cells, cells.map((number) => turned(ground, number))]
}

/** Free cells outside the corrals. */
function freeCells(ground: Ground): readonly number[] {
  return [...ground.blocked.keys()].filter((number) => ground.blocked[number] === 0 && !isInCorral(ground, number))
}

function nearest(ground: Ground, cells: readonly number[], [x, y]: Cell): readonly number[] {
  const distance = (number: number): number => {
    const [column, row] = cellAt(ground, number)
    return (column - x) ** 2 + (row - y) ** 2
  }
  return [...cells].sort((a, b) => distance(a) - distance(b) || a - b)
}
