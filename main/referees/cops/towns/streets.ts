import { drawBelow, shuffled } from '../../../contract/random.ts'
import { carWays, footWays, reachesAll, type Corner, type Sketch, type Street } from './town.ts'

/** The names of the avenues, which run from north to south. */
const avenues = [
  'alder',
  'ash',
  'beech',
  'birch',
  'cedar',
  'cherry',
  'chestnut',
  'cypress',
  'elder',
  'elm',
  'fir',
  'hawthorn',
  'hazel',
  'hickory',
  'juniper',
  'larch',
  'linden',
  'maple',
  'oak',
  'pine',
  'poplar',
  'rowan',
  'spruce',
  'willow',
] as const

/** The most avenues that a town can have: each needs a name. */
export const AVENUES_MAX = avenues.length

/** The number of the northernmost street. */
const FIRST_STREET = 51

/** The size of a block, in the units of the coordinates. */
export const BLOCK = { width: 10, height: 8 }

export interface GridOptions {
  readonly avenues: number
  readonly streets: number
  /** The share of the blocks' sides that are left out, of those without which the town stays connected. */
  readonly gaps: number
  /** The share of streets that are one-way, of those for which cars still reach every corner. */
  readonly oneWay: number
  readonly culdesacs: number
}

/** A grid of streets and avenues with gaps, one-way streets and culs-de-sac. On foot and by car every corner is reached from every other. */
export function gridOfStreets(options: GridOptions, next: () => number): Sketch {
  const corners: Corner[] = []
  const sides: Street[] = []
  for (let row = 0; row < options.streets; row++) {
    for (let column = 0; column < options.avenues; column++) {
      const corner = corners.length
      const name = `${FIRST_STREET + row}-and-${avenues[column]!}`
      corners.push({ name, x: column * BLOCK.width, y: row * BLOCK.height })
      if (column > 0) sides.push({ from: corner - 1, to: corner, oneWay: false })
      if (row > 0) sides.push({ from: corner - options.avenues, to: corner, oneWay: false })
    }
  }
  const grid = { corners, streets: withGaps({ corners, streets: sides }, options.gaps, next) }
  return withCuldesacs(withOneWays(grid, options.oneWay, next), options.culdesacs, next)
}

/** The streets without some of them. Nobody is cut off, and no corner becomes a dead end. */
function withGaps({ corners, streets }: Sketch, share: number, next: () => number): readonly Street[] {
  let left = streets
  for (const gap of shuffled(streets, next).slice(0, Math.round(streets.length * share))) {
    const without = left.filter((street) => street !== gap)
    const ways = footWays({ corners, streets: without })
    if (ways[gap.from]!.length > 1 && ways[gap.to]!.length > 1 && reachesAll(ways)) left = without
  }
  return left
}

/** Makes streets one-way as long as cars still get from everywhere to everywhere. */
function withOneWays({ corners, streets }: Sketch, share: number, next: () => number): Sketch {
  const mixed = [...streets]
  let wanted = Math.round(streets.length * share)
  // All sides of an avenue or a street point the same way, as drivers expect.
  const forward = new Map<string, boolean>()
  for (const at of shuffled([...streets.keys()], next)) {
    if (wanted <= 0) break
    const street = streets[at]!
    const [from, to] = [corners[street.from]!, corners[street.to]!]
    const line = from.x === to.x ? `x ${from.x}` : `y ${from.y}`
    const isForward = forward.get(line) ?? drawBelow(next, 2) === 0
    forward.set(line, isForward)
    mixed[at] = isForward ? { ...street, oneWay: true } : { from: street.to, to: street.from, oneWay: true }
    const sketch = { corners, streets: mixed }
    if (reachesAll(carWays(sketch)) && reachesAll(carWays(sketch, true))) wanted -= 1
    else mixed[at] = street
  }
  return { corners, streets: mixed }
}

/** Adds dead ends: one corner each in the middle of a block, joined to one of the corners around it. */
function withCuldesacs({ corners, streets }: Sketch, culdesacs: number, next: () => number): Sketch {
  const added: Corner[] = []
  const ways: Street[] = []
  const counts = new Map<string, number>()
  for (const from of shuffled([...corners.keys()], next)) {
    if (added.length >= culdesacs) break
    const { name, x, y } = corners[from]!
    const avenue = name.slice(name.indexOf('-and-') + 5)
    const number = (counts.get(avenue) ?? 0) + 1
    counts.set(avenue, number)
    ways.push({ from, to: corners.length + added.length, oneWay: false })
    added.push({ name: `${avenue}-culdesac-#${number}`, x: x + BLOCK.width / 2, y: y + BLOCK.height / 2 })
  }
  return { corners: [...corners, ...added], streets: [...streets, ...ways] }
}
