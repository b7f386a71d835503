import type { Point } from '../../parts/map/camera.ts'
import type { State } from './rules.ts'

/** The parts of a map that a picture needs. `MapMessage`, which players receive, has them too. */
export interface MapSites {
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

export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)

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
