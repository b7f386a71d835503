import type { State } from './rules.ts'

interface Point {
  readonly x: number
  readonly y: number
}

/** Where a map is drawn: sites in a square from 0 to 1. */
export interface Layout {
  readonly sites: readonly (Point & { readonly id: number; readonly isMine: boolean })[]
  /** By river: the places of its ends among the sites. */
  readonly rivers: readonly { readonly source: number; readonly target: number }[]
}

/** Sites as the map has them, in their proportions; where it does not say, in a circle. */
export function layoutOf({ file, rivers, mines }: State['course']): Layout {
  const points = file.sites.map(({ x, y }, at): Point => {
    const angle = (2 * Math.PI * at) / file.sites.length
    return x === undefined || y === undefined ? { x: Math.cos(angle), y: Math.sin(angle) } : { x, y }
  })
  const least = pointOf(points, (values) => values.reduce((a, b) => Math.min(a, b), Infinity))
  const most = pointOf(points, (values) => values.reduce((a, b) => Math.max(a, b), -Infinity))
  const size = Math.max(most.x - least.x, most.y - least.y, Number.MIN_VALUE)
  const isMine = new Set(mines)
  return {
    sites: points.map(({ x, y }, at) => ({
      id: file.sites[at]!.id,
      x: (x - least.x) / size,
      y: (y - least.y) / size,
      isMine: isMine.has(at),
    })),
    rivers,
  }
}

const pointOf = (points: readonly Point[], of: (values: readonly number[]) => number): Point => ({
  x: of(points.map(({ x }) => x)),
  y: of(points.map(({ y }) => y)),
})
