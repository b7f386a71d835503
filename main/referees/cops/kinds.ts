import * as z from 'zod'
import { randomStream, shuffled, drawBelow } from '../../contract/random.ts'
import { sha256 } from '../sha256.ts'
import { AVENUES_MAX, gridOfStreets, BLOCK } from './towns/streets.ts'
import { type Sketch, type Street, distancesFrom, footWays, type Distances } from './towns/town.ts'

/** The most corners of the grid: a world skeleton has 1000 lines of ways at most (3.2.2). */
const CORNERS_MAX = 240

/** The most lines of ways in a world skeleton. */
const WAYS_MAX = 1_000

/** How a town is made. The defaults make one of the size of Hyde Park. */
export const townOptions = z
  .strictObject({
    avenues: z.int().min(5).max(AVENUES_MAX).default(20),
    streets: z.int().min(5).max(20).default(11),
    /** The share of the blocks' sides that are left out, if nobody is cut off. */
    gaps: z.number().min(0).max(0.4).default(0.15),
    /** The share of streets that are one-way for cars, if cars still reach every corner. */
    oneWay: z.number().min(0).max(0.8).default(0.38),
    culdesacs: z.int().min(0).max(40).default(20),
    /** Ways that only cars may take; a two-way shortcut has two. */
    shortcuts: z.int().min(0).max(200).default(120),
    /** Any text: equal ones make equal towns. */
    seed: z.string().max(200).default('1'),
  })
  .refine(({ avenues, streets }) => avenues * streets <= CORNERS_MAX, {
    message: `avenues times streets must be at most ${CORNERS_MAX}`,
    path: ['avenues'],
  })
export type TownOptions = z.infer<typeof townOptions>

/** Makes a town like Hyde Park; equal options make equal towns on every system. */
export function makeTown({ seed, shortcuts, ...options }: TownOptions): MadeTown {
  const next = randomStream(sha256(`town:${seed}`))
  const sketch = gridOfStreets(options, next)
  const places = placesOf(sketch, next)
  const left = WAYS_MAX - sketch.streets.reduce((sum, { oneWay }) => sum + (oneWay ? 1 : 2), 0)
  return { sketch, places, shortcuts: shortcutsOf(sketch, places.headquarters, Math.min(shortcuts, left), next) }
}

interface MadeTown {
  readonly sketch: Sketch
  readonly places: Places
  /** For cars only. */
  readonly shortcuts: readonly Street[]
}

/** A town as a world skeleton (3.2.2), with names of players as in the recordings. */
export function townText({ sketch: { corners, streets }, places, shortcuts }: MadeTown): string {
  const tag = (corner: number): string => {
    if (corner === places.headquarters) return 'hq'
    if (corner === places.start) return 'robber-start'
    return places.banks.includes(corner) ? 'bank' : 'ordinary'
  }
  const name = (corner: number): string => corners[corner]!.name
  const ways = (of: readonly Street[], kind: string): string[] =>
    of.flatMap(({ from, to, oneWay }) => [
      `edg: ${name(from)} ${name(to)} ${kind}`,
      ...(oneWay ? [] : [`edg: ${name(to)} ${name(from)} ${kind}`]),
    ])
  const lines = [
    'wsk\\',
    'name: Cop1',
    'robber: Robber',
    ...[1, 2, 3, 4, 5].map((cop) => `cop: Cop${cop}`),
    'nod\\',
    ...corners.map(({ name: label, x, y }, corner) => `nod: ${label} ${tag(corner)} ${x} ${y}`),
    'nod/',
    'edg\\',
    ...ways(streets, 'foot'),
    ...ways(shortcuts, 'car'),
    'edg/',
    'wsk/',
  ]
  return `${lines.join('\n')}\n`
}

/** The special places of a town, by corner. */
interface Places {
  readonly headquarters: number
  readonly start: number
  readonly banks: readonly number[]
}

/** The number of banks of every map (2.1). */
const BANKS = 6

/** The number of banks near the robber's start; the others are as far away as the town allows. */
const NEAR_BANKS = 4

/** Steps on foot, as in Hyde Park: from the start to headquarters, to the near banks, and to the far ones. */
const STEPS = { headquarters: 4, nearBank: 5, farBank: 11 }

/** Puts headquarters into the middle, the start and four banks a few steps away, and two banks further off. */
function placesOf(sketch: Sketch, next: () => number): Places {
  const ways = footWays(sketch)
  const order = shuffled([...sketch.corners.keys()], next)
  const headquarters = middleOf(sketch)
  const fromHeadquarters = distancesFrom(headquarters, ways)
  const start = nearest(order, (corner) => Math.abs(fromHeadquarters[corner]! - STEPS.headquarters))
  const fromStart = distancesFrom(start, ways)
  const taken = [headquarters]
  const distances: Distances[] = [fromHeadquarters]
  const add = (steps: number): void => {
    const isFree = (corner: number): boolean => corner !== start && !taken.includes(corner)
    // Banks that stand side by side would be robbed in one visit.
    const crowding = (corner: number): number =>
      distances.reduce((sum, from) => sum + Math.max(0, STEPS.nearBank - from[corner]!), 0)
    const free = order.filter(isFree)
    const bank = nearest(free, (corner) => 2 * Math.abs(fromStart[corner]! - steps) + crowding(corner))
    taken.push(bank)
    distances.push(distancesFrom(bank, ways))
  }
  for (let bank = 0; bank < BANKS; bank++) add(bank < NEAR_BANKS ? STEPS.nearBank : STEPS.farBank)
  return { headquarters, start, banks: taken.slice(1) }
}

function middleOf({ corners }: Sketch): number {
  const [x, y] = [Math.max(...corners.map((each) => each.x)) / 2, Math.max(...corners.map((each) => each.y)) / 2]
  const off = (corner: number): number => Math.abs(corners[corner]!.x - x) + Math.abs(corners[corner]!.y - y)
  return nearest([...corners.keys()], off)
}

/** The first of those with the smallest distance. */
function nearest(corners: readonly number[], distance: (corner: number) => number): number {
  let [best, least] = [corners[0]!, Infinity]
  for (const corner of corners) {
    const here = distance(corner)
    if (here < least) [best, least] = [corner, here]
  }
  return best
}

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
function shortcutsOf({ corners }: Sketch, headquarters: number, most: number, next: () => number): readonly Street[] {
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
