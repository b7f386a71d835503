import type { State } from './state.ts'

/** A cell around a cow: the unit vector to it, and its Chebyshev distance. */
interface Around {
  readonly x: number
  readonly y: number
  readonly unitX: number
  readonly unitY: number
  readonly distance: number
}

const squares = [4, 5].map((range) => {
  const cells: Around[] = []
  for (let x = -range; x <= range; x++)
    for (let y = -range; y <= range; y++) {
      if (x === 0 && y === 0) continue
      // Only operations that IEEE 754 rounds exactly, so that every machine gets the same herd.
      const length = Math.sqrt(x * x + y * y)
      cells.push({ x, y, unitX: x / length, unitY: y / length, distance: Math.max(Math.abs(x), Math.abs(y)) })
    }
  return cells
})
/** Spec 5.2: 9 x 9. The organisers' server: 11 x 11. */
const square = { document: squares[0]!, 'server-2008': squares[1]! } as const

/** Herders nearer than this frighten cows on the organisers' server. */
const FEAR_RANGE = 4
/** A cell nearer than this is in the private square. */
const PRIVATE_RANGE = 2
/** The tangent of 22.5 degrees. */
const HALF_SECTOR = Math.SQRT2 - 1

/**
 * Where a cow wants to go: the number of an action, 0 to stay. The sum of unit vectors to the cells that it sees, by the
 * weights of what is on them (spec 5.1).
 */
export function cowDirection(state: State, cow: number): number {
  const { width, height, config, herderOn, cowOn, obstacles, cows } = state
  const at = cows[cow]!
  const x = at % width
  const y = (at - x) / width
  const asServer = config.profile === 'server-2008'
  let [sumX, sumY] = [0, 0]
  for (const each of square[config.profile]) {
    const [cellX, cellY] = [x + each.x, y + each.y]
    let weight: number = config.emptyWeight
    if (cellX < 0 || cellY < 0 || cellX >= width || cellY >= height) {
      if (!asServer) continue
    } else {
      const cell = cellY * width + cellX
      if (herderOn[cell] !== -1) weight = asServer && each.distance >= FEAR_RANGE ? 1 : config.agentWeight
      else if (cowOn[cell] !== -1) weight = each.distance < PRIVATE_RANGE ? config.cowPrivateWeight : config.cowWeight
      else if (obstacles[cell] === 1) weight = -config.emptyWeight
    }
    sumX += weight * each.unitX
    sumY += weight * each.unitY
  }
  return asServer ? serverSector(sumX, sumY) : sector(sumX, sumY)
}

/** Two decimals count, so that a shorter vector is zero; sectors of 45 degrees around the eight directions. */
function sector(x: number, y: number): number {
  const [alongX, alongY] = [Math.abs(x), Math.abs(y)]
  if (alongX < 0.01 && alongY < 0.01) return 0
  return towards(alongX >= HALF_SECTOR * alongY ? Math.sign(x) : 0, alongY >= HALF_SECTOR * alongX ? Math.sign(y) : 0)
}

function serverSector(x: number, y: number): number {
  const length = Math.sqrt(x * x + y * y)
  if (length < 0.01) return 0
  const straight = Math.min(Math.abs(x), Math.abs(y)) / length < 0.4
  if (!straight) return towards(Math.sign(x), Math.sign(y))
  return Math.abs(x) > Math.abs(y) ? towards(Math.sign(x), 0) : towards(0, Math.sign(y))
}

const numbers = [8, 1, 2, 7, 0, 3, 6, 5, 4] as const
const towards = (x: number, y: number): number => numbers[(y + 1) * 3 + x + 1]!
