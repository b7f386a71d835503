import type { Point } from '../../parts/map/camera.ts'
import type { State } from './rules.ts'
import { pointBeside, type Direction } from '../../parts/map/directions.ts'

/** The parts of a map that a picture needs. `MapMessage`, which players receive, has them too. */
interface MapSites {
  readonly sites: readonly { readonly id: number; readonly x?: number | undefined; readonly y?: number | undefined }[]
}

/** The layout of a map: sites in a square from 0 to 1. */
export interface Layout {
  readonly sites: readonly (Point & { readonly id: number; readonly isMine: boolean })[]
  /** By river: the places of its ends among the sites. */
  readonly rivers: readonly { readonly source: number; readonly target: number }[]
  /** The place of a site among the sites, by its id. */
  readonly places: ReadonlyMap<number, number>
  /** The lower right corner of the sites. */
  readonly extent: Point
  /** The mean length of a river. */
  readonly riverLength: number
}

/** Places sites as the map has them, in their proportions, and sites without coordinates on a circle. */
export function layoutOf({
  file,
  rivers,
  mines,
}: Pick<State['course'], 'rivers' | 'mines'> & { file: MapSites }): Layout {
  const points = file.sites.map(({ x, y }, at): Point => {
    const angle = (2 * Math.PI * at) / file.sites.length
    return x === undefined || y === undefined ? { x: Math.cos(angle), y: Math.sin(angle) } : { x, y }
  })
  const least = pointOf(points, (values) => values.reduce((a, b) => Math.min(a, b), Infinity))
  const most = pointOf(points, (values) => values.reduce((a, b) => Math.max(a, b), -Infinity))
  const size = Math.max(most.x - least.x, most.y - least.y, Number.MIN_VALUE)
  const isMine = new Set(mines)
  const sites = points.map(({ x, y }, at) => ({
    id: file.sites[at]!.id,
    x: (x - least.x) / size,
    y: (y - least.y) / size,
    isMine: isMine.has(at),
  }))
  const lengths = rivers.map(({ source, target }) => distance(sites[source]!, sites[target]!))
  return {
    sites,
    rivers,
    places: new Map(sites.map(({ id }, at) => [id, at])),
    extent: { x: (most.x - least.x) / size, y: (most.y - least.y) / size },
    riverLength: lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length),
  }
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)

/** The point in the middle of a river. */
export function middleOf({ sites, rivers }: Layout, river: number): Point {
  const { source, target } = rivers[river]!
  const [a, b] = [sites[source]!, sites[target]!]
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}

/** A river by the ids of its sites: `3-4`. */
export function riverName({ sites, rivers }: Layout, river: number): string {
  const { source, target } = rivers[river]!
  return `${sites[source]!.id}-${sites[target]!.id}`
}

const pointOf = (points: readonly Point[], of: (values: readonly number[]) => number): Point => ({
  x: of(points.map(({ x }) => x)),
  y: of(points.map(({ y }) => y)),
})

/** The river nearest to a point of the map, no farther from it than `within`; null: there is none. Looks at all rivers: 0.1 ms for 10,000. */
export function riverAt({ sites, rivers }: Layout, point: Point, within: number): number | null {
  let found: number | null = null
  let least = within
  for (const [river, { source, target }] of rivers.entries()) {
    const away = distanceToLine(point, sites[source]!, sites[target]!)
    if (away > least) continue
    found = river
    least = away
  }
  return found
}

/** The site nearest to a point of the map, no farther from it than `within`; null: there is none. */
export function siteAt({ sites }: Layout, point: Point, within: number): number | null {
  let found: number | null = null
  let least = within
  for (const [site, place] of sites.entries()) {
    const away = distance(point, place)
    if (away > least) continue
    found = site
    least = away
  }
  return found
}

/** The river that follows another in a direction, as arrow keys go; the river itself if there is none farther that way. */
export const riverBeside = (layout: Layout, river: number, direction: Direction): number =>
  pointBeside(
    layout.rivers.map((_, each) => middleOf(layout, each)),
    river,
    direction,
  )

function distanceToLine(point: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const square = dx * dx + dy * dy
  const along = square === 0 ? 0 : ((point.x - a.x) * dx + (point.y - a.y) * dy) / square
  const part = Math.min(1, Math.max(0, along))
  return Math.hypot(point.x - a.x - part * dx, point.y - a.y - part * dy)
}

/** A map to be drawn; its sites have coordinates. */
interface Drawn {
  readonly sites: readonly { readonly id: number; readonly x?: number | undefined; readonly y?: number | undefined }[]
  readonly rivers: readonly { readonly source: number; readonly target: number }[]
  readonly mines: readonly number[]
}

/** A small picture of a map, in the units of its coordinates. */
interface MapPreview {
  /** The `viewBox`. */
  readonly box: string
  /** All rivers as one path, so that ten thousand of them are one element. */
  readonly rivers: string
  readonly mines: readonly { readonly x: number; readonly y: number }[]
  /** The radius of a mine. */
  readonly mine: number
}

/** The picture of a map with sites. A site without coordinates lies at the origin. */
export function previewOf({ sites, rivers, mines }: Drawn): MapPreview {
  const points = new Map(sites.map(({ id, x = 0, y = 0 }) => [id, { x, y }]))
  const [xs, ys] = [[...points.values()].map(({ x }) => x), [...points.values()].map(({ y }) => y)]
  const least = (all: readonly number[]): number => all.reduce((a, b) => Math.min(a, b))
  const most = (all: readonly number[]): number => all.reduce((a, b) => Math.max(a, b))
  const [left, top] = [least(xs), least(ys)]
  const [width, height] = [most(xs) - left, most(ys) - top]
  const size = Math.max(width, height, 1)
  const edge = size / 20
  const at = (site: number): { x: number; y: number } => points.get(site)!
  return {
    box: [left - edge, top - edge, width + 2 * edge, height + 2 * edge].join(' '),
    rivers: rivers
      .map(({ source, target }) => `M${at(source).x} ${at(source).y}L${at(target).x} ${at(target).y}`)
      .join(''),
    mines: mines.map(at),
    mine: size / 60,
  }
}
