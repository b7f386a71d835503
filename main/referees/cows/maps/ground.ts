import { isInside, terrain, type Cell, type Rectangle } from './map-file.ts'
import { drawBelow, shuffled } from '../../../contract/random.ts'

/** A map that is being made: cells are numbered row by row from the north-west. */
export interface Ground {
  readonly width: number
  readonly height: number
  /** The corrals of both teams, the second being the first one turned by 180 degrees. */
  readonly corrals: readonly [Rectangle, Rectangle]
  /** By cell: whether there is an obstacle. */
  readonly blocked: Uint8Array
}

/** Empty ground with square corrals in the south-west (team 0) and north-east corners, as in the contest of 2008. */
export function emptyGround(width: number, height: number, corral: number): Ground {
  return {
    width,
    height,
    corrals: [
      { x0: 0, y0: height - corral, x1: corral - 1, y1: height - 1 },
      { x0: width - corral, y0: 0, x1: width - 1, y1: corral - 1 },
    ],
    blocked: new Uint8Array(width * height),
  }
}

export const cellAt = ({ width }: Ground, number: number): Cell => [number % width, Math.floor(number / width)]

/** The cell on which the other team has what this one is. */
const turned = ({ blocked }: Ground, number: number): number => blocked.length - 1 - number

export function isInCorral(ground: Ground, number: number): boolean {
  return ground.corrals.some((corral) => isInside(corral, cellAt(ground, number)))
}

/** Puts an obstacle on a cell and on the one that it turns into, unless it is in a corral. */
export function block(ground: Ground, number: number): void {
  if (isInCorral(ground, number)) return
  ground.blocked[number] = ground.blocked[turned(ground, number)] = 1
}

/** The cells beside a cell, in all eight directions. */
function neighboursOf(ground: Ground, number: number): readonly number[] {
  const [x, y] = cellAt(ground, number)
  const found: number[] = []
  for (let row = Math.max(0, y - 1); row <= Math.min(ground.height - 1, y + 1); row++) {
    for (let column = Math.max(0, x - 1); column <= Math.min(ground.width - 1, x + 1); column++) {
      if (row !== y || column !== x) found.push(row * ground.width + column)
    }
  }
  return found
}

/** By cell: 1 where a herder of the first corral can get to. */
function reached(ground: Ground): Uint8Array {
  const { x0, y0 } = ground.corrals[0]
  const found = new Uint8Array(ground.blocked.length)
  const queue = [y0 * ground.width + x0]
  found[queue[0]!] = 1
  for (let number = queue.pop(); number !== undefined; number = queue.pop()) {
    for (const next of neighboursOf(ground, number)) {
      if (ground.blocked[next] === 1 || found[next] === 1) continue
      found[next] = 1
      queue.push(next)
    }
  }
  return found
}

/** Makes every free cell reachable from both corrals: clears a way between them where there is none, and fills closed rooms. */
export function joinUp(ground: Ground): void {
  const { x0, y0 } = ground.corrals[1]
  if (reached(ground)[y0 * ground.width + x0] === 0) clearDiagonal(ground)
  for (const [number, there] of reached(ground).entries()) if (there === 0) ground.blocked[number] = 1
}

/** From corner to corner, south-west to north-east; turned by 180 degrees it is itself. */
function clearDiagonal({ width, height, blocked }: Ground): void {
  const steps = 2 * Math.max(width, height)
  for (let step = 0; step <= steps / 2; step++) {
    const x = Math.round((step * (width - 1)) / steps)
    const y = height - 1 - Math.round((step * (height - 1)) / steps)
    for (const column of [x, Math.max(0, x - 1)]) {
      const number = y * width + column
      blocked[number] = blocked[blocked.length - 1 - number] = 0
    }
  }
}

/** The rows of a map file. */
export function rowsOf({ width, height, blocked }: Ground, cows: ReadonlySet<number>): string[] {
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => {
      const number = y * width + x
      if (blocked[number] === 1) return terrain.obstacle
      return cows.has(number) ? terrain.cow : terrain.empty
    }).join(''),
  )
}

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
