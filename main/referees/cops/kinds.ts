import * as z from 'zod'
import { randomStream } from '../../contract/random.ts'
import { sha256 } from '../sha256.ts'
import { placesOf, type Places } from './towns/places.ts'
import { shortcutsOf } from './towns/shortcuts.ts'
import { AVENUES_MAX, gridOfStreets } from './towns/streets.ts'
import type { Sketch, Street } from './towns/town.ts'

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

export interface MadeTown {
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
