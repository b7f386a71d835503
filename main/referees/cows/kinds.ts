import * as z from 'zod'
import { randomStream, drawBelow } from '../../contract/random.ts'
import { sha256 } from '../sha256.ts'
import {
  cellAt,
  emptyGround,
  joinUp,
  rowsOf,
  type Ground,
  isInCorral,
  block,
  placeHerders,
  placeHerds,
} from './maps/ground.ts'
import { HERDERS_MAX, type HerdMap } from './maps/map-file.ts'
import { maze } from './maps/maze.ts'

/** The exports of map files for the window. */
export { mapText, type HerdMap, type Rectangle } from './maps/map-file.ts'

/** The kinds of maps that can be made. All but `random` look the same to both teams when one of them turns it by 180 degrees. */
export const mapKinds = ['random', 'scattered', 'maze', 'corridors'] as const

const side = z.int().min(20).max(150).default(70)

/** How a map is made. */
export const mapOptions = z
  .strictObject({
    kind: z.enum(mapKinds).default('scattered'),
    /** Cells from west to east, and from north to south. */
    width: side,
    height: side,
    /** At most; of the kinds `random` and `scattered`. */
    obstacles: z.int().min(0).max(5_000).default(200),
    /** At most, as far as there is room. */
    cows: z.int().min(2).max(1_000).default(100),
    /** The number of herders of each team. */
    herders: z.int().min(1).max(HERDERS_MAX).default(6),
    /** The side of each corral. */
    corral: z.int().min(1).max(40).default(15),
    /** Any text: equal ones make equal maps. */
    seed: z.string().max(200).default('1'),
  })
  .superRefine(({ width, height, corral, obstacles, cows, herders, kind }, context) => {
    const shorter = Math.min(width, height)
    if (3 * corral > shorter)
      context.addIssue({ code: 'custom', path: ['corral'], message: 'it must be a third of the shorter side at most' })
    const wanted = cows + 2 * herders + (kind === 'random' || kind === 'scattered' ? obstacles : 0)
    if (2 * wanted > width * height - 2 * corral ** 2)
      context.addIssue({
        code: 'custom',
        path: ['cows'],
        message: 'at most half of the cells outside the corrals may be taken',
      })
  })
export type MapOptions = z.infer<typeof mapOptions>

/** Makes a map; equal options make equal maps on every system. Every cow and herder can be reached from both corrals. */
export function makeMap({ kind, width, height, obstacles, cows, herders, corral, seed }: MapOptions): HerdMap {
  const next = randomStream(sha256(`cows-map:${kind}:${seed}`))
  const ground = emptyGround(width, height, corral)
  if (kind === 'random') {
    const dropped = dropUniformly(ground, { obstacles, cows, herders }, next)
    return mapOf(ground, dropped.cows, dropped.herders)
  }
  if (kind === 'scattered') scattered(ground, obstacles, next)
  else if (kind === 'maze') maze(ground, next)
  else corridors(ground, next)
  joinUp(ground)
  const places = placeHerders(ground, herders)
  return mapOf(ground, placeHerds(ground, cows, new Set(places.flat()), next), places)
}

function mapOf(
  ground: Ground,
  cows: ReadonlySet<number>,
  herders: readonly [readonly number[], readonly number[]],
): HerdMap {
  const cells = (numbers: readonly number[]): [number, number][] =>
    numbers.map((number) => {
      const [x, y] = cellAt(ground, number)
      return [x, y]
    })
  const [first, second] = ground.corrals
  return { rows: rowsOf(ground, cows), corrals: [first, second], herders: [cells(herders[0]), cells(herders[1])] }
}

/** The dropped things, by cell. */
interface Dropped {
  readonly cows: Set<number>
  readonly herders: readonly [readonly number[], readonly number[]]
}

/**
 * As the organisers' server of 2008 made its random maps: obstacles, then cows, then the herders of both teams are dropped one by one
 * on free cells, which exclude the last row and the last column. Corrals stay free here, so that no cow counts before the
 * first step. Neither team has the same view as the other.
 */
function dropUniformly(
  ground: Ground,
  { obstacles, cows, herders }: { readonly obstacles: number; readonly cows: number; readonly herders: number },
  next: () => number,
): Dropped {
  const free: number[] = []
  for (let number = 0; number < ground.width * (ground.height - 1); number++) {
    if (number % ground.width < ground.width - 1 && !isInCorral(ground, number)) free.push(number)
  }
  const drop = (count: number): readonly number[] =>
    Array.from({ length: Math.min(count, free.length) }, () => free.splice(drawBelow(next, free.length), 1)[0]!)
  for (const number of drop(obstacles)) ground.blocked[number] = 1
  return { cows: new Set(drop(cows)), herders: [drop(herders), drop(herders)] }
}

/** Obstacles one by one anywhere outside the corrals, each with the one that it turns into. */
function scattered(ground: Ground, obstacles: number, next: () => number): void {
  // A cell may be drawn twice: tries end, so that a full grid does not hang.
  for (let tries = 0, placed = 0; placed < obstacles && tries < 20 * obstacles; tries++) {
    const number = drawBelow(next, ground.blocked.length)
    if (ground.blocked[number] === 1) continue
    block(ground, number)
    if (ground.blocked[number] === 1) placed += 2
  }
}

/** Rows from wall to wall, and cells of a gap. */
const PITCH = 9
const GAP = 5

/** Corridors from west to east: walls across the whole grid with two gaps each, those in the south turned from those in the north. */
function corridors(ground: Ground, next: () => number): void {
  const { width, height } = ground
  for (let y = PITCH - 1; 2 * y < height - 2; y += PITCH) {
    const gaps = [0, 1].map((half) => Math.floor((half * width) / 2) + drawBelow(next, Math.floor(width / 2) - GAP))
    for (let x = 0; x < width; x++) {
      if (gaps.every((gap) => x < gap || x >= gap + GAP)) block(ground, y * width + x)
    }
  }
}
