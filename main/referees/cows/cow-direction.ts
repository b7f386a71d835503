import type { State } from './state.ts'

/** The cells around a cow: where they are, the unit vectors to them, and their Chebyshev distances. */
interface Square {
  readonly cells: number
  readonly x: Int8Array
  readonly y: Int8Array
  readonly unitX: Float64Array
  readonly unitY: Float64Array
  readonly distance: Uint8Array
}

const squares = new Map<number, Square>()

/** The square of a cow that sees so far. */
function squareOf(range: number): Square {
  let square = squares.get(range)
  if (square === undefined) squares.set(range, (square = makeSquare(range)))
  return square
}

function makeSquare(range: number): Square {
  const places: (readonly [x: number, y: number])[] = []
  for (let x = -range; x <= range; x++)
    for (let y = -range; y <= range; y++) if (x !== 0 || y !== 0) places.push([x, y])
  // Only operations that IEEE 754 rounds exactly, so that every machine gets the same herd.
  const length = ([x, y]: readonly [number, number]): number => Math.sqrt(x * x + y * y)
  return {
    cells: places.length,
    x: Int8Array.from(places, ([x]) => x),
    y: Int8Array.from(places, ([, y]) => y),
    unitX: Float64Array.from(places, (place) => place[0] / length(place)),
    unitY: Float64Array.from(places, (place) => place[1] / length(place)),
    distance: Uint8Array.from(places, ([x, y]) => Math.max(Math.abs(x), Math.abs(y))),
  }
}

/** A cell nearer than this is in the private square. */
const PRIVATE_RANGE = 2
/** The tangent of 22.5 degrees. */
const HALF_SECTOR = Math.SQRT2 - 1

/**
 * Where a cow wants to go: the number of an action, 0 to stay. The sum of unit vectors to the cells that it sees, by the
 * weights of what is on them (spec 5.1).
 */
export function cowDirection(state: State, cow: number): number {
  const { width, height, config, ranges, herderOn, cowOn, obstacles, cows } = state
  const { agentWeight, cowWeight, cowPrivateWeight, emptyWeight } = config
  const { cells, x: squareX, y: squareY, unitX, unitY, distance } = squareOf(ranges.attraction)
  const at = cows[cow]!
  const x = at % width
  const y = (at - x) / width
  const asServer = config.profile === 'server-2008'
  let sumX = 0
  let sumY = 0
  for (let each = 0; each < cells; each++) {
    const cellX = x + squareX[each]!
    const cellY = y + squareY[each]!
    let weight = emptyWeight
    if (cellX < 0 || cellY < 0 || cellX >= width || cellY >= height) {
      if (!asServer) continue
    } else {
      const cell = cellY * width + cellX
      if (herderOn[cell] !== -1) weight = distance[each]! < ranges.fear ? agentWeight : 1
      else if (cowOn[cell] !== -1) weight = distance[each]! < PRIVATE_RANGE ? cowPrivateWeight : cowWeight
      else if (obstacles[cell] === 1) weight = -emptyWeight
    }
    sumX += weight * unitX[each]!
    sumY += weight * unitY[each]!
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
