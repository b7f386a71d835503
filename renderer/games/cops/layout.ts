import type { Point } from '../../parts/map/camera.ts'
import type { Town, View } from './rules.ts'

type CopView = View['cops'][number]

/** The parts of a world that a map shows. */
export interface DrawnWorld extends Pick<View, 'names' | 'robber' | 'banks' | 'evidence'> {
  /** `controller` is absent if every brain moves its own robot, `dirty` if nobody can be bribed. */
  readonly cops: readonly (Pick<CopView, 'seat' | 'loc' | 'ptype' | 'smell' | 'evidence'> &
    Partial<Pick<CopView, 'controller' | 'dirty'>>)[]
}

/** A corner as it is drawn. */
export interface DrawnCorner extends Point {
  readonly loc: string
  readonly tag: Town['nodes'][number]['tag']
}

/** A street as it is drawn: two-way ones once. */
export interface DrawnStreet {
  readonly from: DrawnCorner
  readonly to: DrawnCorner
  readonly type: 'foot' | 'car'
  /** Cars may only go from `from` to `to`. */
  readonly oneWay: boolean
}

/** A map as it is drawn, in its own units, from 0, 0 on. */
export interface Layout {
  readonly corners: readonly DrawnCorner[]
  readonly byName: ReadonlyMap<string, DrawnCorner>
  readonly streets: readonly DrawnStreet[]
  /** The lower right corner. */
  readonly extent: Point
  /** The mean length of a street for everybody. */
  readonly streetLength: number
}

export function layoutOf({ nodes, edges }: Pick<Town, 'nodes' | 'edges'>): Layout {
  const [left, right] = [Math.min(...nodes.map(({ x }) => x)), Math.max(...nodes.map(({ x }) => x))]
  const [top, bottom] = [Math.min(...nodes.map(({ y }) => y)), Math.max(...nodes.map(({ y }) => y))]
  const corners = nodes.map(({ loc, tag, x, y }) => ({ loc, tag, x: x - left, y: y - top }))
  const byName = new Map(corners.map((corner) => [corner.loc, corner]))
  const known = new Set(edges.map(({ from, to, type }) => `${from} ${to} ${type}`))
  const streets = edges.flatMap(({ from, to, type }): DrawnStreet[] => {
    const hasReverse = known.has(`${to} ${from} ${type}`)
    if (hasReverse && from > to) return []
    return [{ from: byName.get(from)!, to: byName.get(to)!, type, oneWay: !hasReverse }]
  })
  const lengths = streets.flatMap(({ from, to, type }) =>
    type === 'foot' ? [Math.hypot(to.x - from.x, to.y - from.y)] : [],
  )
  return {
    corners,
    byName,
    streets,
    extent: { x: right - left, y: bottom - top },
    streetLength: lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length),
  }
}

/** The index of the corner nearest to a point, no farther from it than `within`; null: there is none. */
export function cornerAt(corners: readonly DrawnCorner[], point: Point, within: number): number | null {
  let found: number | null = null
  let least = within
  for (const [index, { x, y }] of corners.entries()) {
    const away = Math.hypot(x - point.x, y - point.y)
    if (away > least) continue
    found = index
    least = away
  }
  return found
}
