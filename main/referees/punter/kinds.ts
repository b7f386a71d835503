import * as z from 'zod'
import { randomStream } from '../../contract/random.ts'
import { sha256 } from '../sha256.ts'
import type { MapFile } from './map-file.ts'
import { geometric, delaunay, gabriel } from './maps/geometric.ts'
import { grid, lambda, sierpinski, web } from './maps/regular.ts'
import { mineRules, placeMines } from './maps/mines.ts'
import { type Random, type Sketch, thinned } from './maps/sketch.ts'

/** The kinds of maps that can be made. */
export const mapKinds = ['grid', 'geometric', 'gabriel', 'delaunay', 'sierpinski', 'web', 'lambda'] as const
type MapKind = (typeof mapKinds)[number]

const sketches: Readonly<Record<MapKind, (sites: number, random: Random) => Sketch>> = {
  grid,
  geometric,
  gabriel,
  delaunay,
  sierpinski,
  web,
  lambda,
}

/** How a map is made. */
export const mapOptions = z.strictObject({
  kind: z.enum(mapKinds).default('gabriel'),
  /** At most; kinds with a fixed shape have as many as fit into it. */
  sites: z.int().min(4).max(10_000).default(100),
  mines: z.int().min(1).max(100).default(4),
  placement: z.enum(mineRules).default('spread'),
  /** The share of rivers that are left out, of those without which the map stays connected. */
  thin: z.number().min(0).max(1).default(0),
  /** Any text: equal ones make equal maps. */
  seed: z.string().max(200).default('1'),
})
export type MapOptions = z.infer<typeof mapOptions>

/** Makes a map with coordinates; equal options make equal maps on every system. */
export function makeMap({ kind, sites, mines, placement, thin, seed }: MapOptions): MapFile {
  const next = randomStream(sha256(`map:${kind}:${seed}`))
  const whole = sketches[kind](sites, () => next() / 2 ** 32)
  const sketch = thinned(whole, thin, next)
  return {
    sites: sketch.points.map(({ x, y }, id) => ({ id, x, y })),
    rivers: sketch.rivers.map(([source, target]) => ({ source, target })),
    mines: [...placeMines(sketch, mines, placement, next)],
  }
}

/** A map as the text of a file, with one site or river a line. */
export function mapText({ sites, rivers, mines }: MapFile): string {
  const line = (item: object): string => `    ${JSON.stringify(item, null, 1).replaceAll(/\n\s*/g, ' ')}`
  const list = (items: readonly object[]): string => `[\n${items.map(line).join(',\n')}\n  ]`
  return `{\n  "sites": ${list(sites)},\n  "rivers": ${list(rivers)},\n  "mines": [${mines.join(', ')}]\n}\n`
}
