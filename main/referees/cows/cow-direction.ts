import type { Config, Ranges } from './config.ts'
import { contents, type State } from './state.ts'

/** The cells around a cow: where they are, the unit vectors to them, and which weights they have. */
interface Square {
  readonly cells: number
  readonly range: number
  readonly x: Int8Array
  readonly y: Int8Array
  readonly unitX: Float64Array
  readonly unitY: Float64Array
  /** The index at which the weights of the cell's zone begin, see `weightsOf`. */
  readonly zone: Uint8Array
  /** How far the cells are from the cow's in the numbers of cells, on a grid as wide as this one. */
  readonly offset: Int32Array
}

/** A cell nearer than this is in the private square. */
const PRIVATE_RANGE = 2
/** A zone is whether the cell is feared and whether it is private; each has a weight for each content of a cell. */
const CONTENTS = Object.keys(contents).length

const squares = new Map<string, Square>()

/** The square of a cow. */
function squareOf({ attraction, fear }: Ranges, width: number): Square {
  const key = `${attraction} ${fear} ${width}`
  let square = squares.get(key)
  if (square === undefined) squares.set(key, (square = makeSquare(attraction, fear, width)))
  return square
}

function makeSquare(range: number, fear: number, width: number): Square {
  const places: (readonly [x: number, y: number])[] = []
  for (let x = -range; x <= range; x++)
    for (let y = -range; y <= range; y++) if (x !== 0 || y !== 0) places.push([x, y])
  // Only operations that IEEE 754 rounds exactly, so that every machine gets the same herd.
  const length = ([x, y]: readonly [number, number]): number => Math.sqrt(x * x + y * y)
  const zone = (distance: number): number => (distance >= fear ? 2 : 0) + (distance < PRIVATE_RANGE ? 1 : 0)
  return {
    cells: places.length,
    range,
    x: Int8Array.from(places, ([x]) => x),
    y: Int8Array.from(places, ([, y]) => y),
    unitX: Float64Array.from(places, (place) => place[0] / length(place)),
    unitY: Float64Array.from(places, (place) => place[1] / length(place)),
    zone: Uint8Array.from(places, ([x, y]) => CONTENTS * zone(Math.max(Math.abs(x), Math.abs(y)))),
    offset: Int32Array.from(places, ([x, y]) => y * width + x),
  }
}

/** The weights of all contents in all zones. A herder that no cow fears weighs 1, as on the organisers' server. */
function weightsOf({ agentWeight, cowWeight, cowPrivateWeight, emptyWeight }: Config): Float64Array {
  const zone = (isFeared: boolean, isPrivate: boolean): readonly number[] => [
    emptyWeight,
    isFeared ? agentWeight : 1,
    isPrivate ? cowPrivateWeight : cowWeight,
    -emptyWeight,
  ]
  return Float64Array.of(...zone(true, false), ...zone(true, true), ...zone(false, false), ...zone(false, true))
}

const weights = new WeakMap<Config, Float64Array>()

/** The tangent of 22.5 degrees. */
const HALF_SECTOR = Math.SQRT2 - 1

/**
 * The direction of a cow: the number of an action, 0 to stay. The sum of unit vectors to the cells that it sees, by the
 * weights of what is on them (spec 5.1).
 */
export function cowDirection(state: State, cow: number): number {
  const { width, height, config, ranges, content, cows } = state
  let weightOf = weights.get(config)
  if (weightOf === undefined) weights.set(config, (weightOf = weightsOf(config)))
  const { cells, range, x: squareX, y: squareY, unitX, unitY, zone, offset } = squareOf(ranges, width)
  const at = cows[cow]!
  const x = at % width
  const y = (at - x) / width
  const asServer = config.profile === 'server-2008'
  const isWhole = x >= range && y >= range && x < width - range && y < height - range
  let sumX = 0
  let sumY = 0
  for (let each = 0; each < cells; each++) {
    let weight = config.emptyWeight
    if (isWhole || isInside(state, x + squareX[each]!, y + squareY[each]!))
      weight = weightOf[zone[each]! + content[at + offset[each]!]!]!
    else if (!asServer) continue
    sumX += weight * unitX[each]!
    sumY += weight * unitY[each]!
  }
  return asServer ? serverSector(sumX, sumY) : sector(sumX, sumY)
}

const isInside = ({ width, height }: State, x: number, y: number): boolean =>
  x >= 0 && y >= 0 && x < width && y < height

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
