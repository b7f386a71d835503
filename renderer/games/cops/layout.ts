import type { Town, View } from './rules.ts'

/** What a map shows of a world. */
export interface DrawnWorld extends Pick<View, 'names' | 'robber' | 'banks' | 'evidence'> {
  readonly cops: readonly Pick<View['cops'][number], 'seat' | 'loc' | 'ptype' | 'smell' | 'evidence'>[]
}

/** A corner as it is drawn. */
export interface DrawnCorner {
  readonly loc: string
  readonly tag: Town['nodes'][number]['tag']
  readonly x: number
  readonly y: number
}

/** A street as it is drawn: two-way ones once. */
export interface DrawnStreet {
  readonly from: DrawnCorner
  readonly to: DrawnCorner
  readonly type: 'foot' | 'car'
  /** Cars may only go from `from` to `to`. */
  readonly oneWay: boolean
}

/** A map as it is drawn, in units of which a corner's dot has two. */
export interface Layout {
  readonly corners: readonly DrawnCorner[]
  readonly byName: ReadonlyMap<string, DrawnCorner>
  readonly streets: readonly DrawnStreet[]
  readonly width: number
  readonly height: number
}

/** The share of the width that a map of Hyde Park's size has; narrower maps are spread. */
const WIDTH = 400
const MARGIN = 14

export function layoutOf({ nodes, edges }: Pick<Town, 'nodes' | 'edges'>): Layout {
  const [left, right] = [Math.min(...nodes.map(({ x }) => x)), Math.max(...nodes.map(({ x }) => x))]
  const [top, bottom] = [Math.min(...nodes.map(({ y }) => y)), Math.max(...nodes.map(({ y }) => y))]
  const unit = WIDTH / Math.max(1, right - left, bottom - top)
  const corners = nodes.map(({ loc, tag, x, y }) => {
    return { loc, tag, x: MARGIN + (x - left) * unit, y: MARGIN + (y - top) * unit }
  })
  const byName = new Map(corners.map((corner) => [corner.loc, corner]))
  const known = new Set(edges.map(({ from, to, type }) => `${from} ${to} ${type}`))
  const streets = edges.flatMap(({ from, to, type }): DrawnStreet[] => {
    const hasReverse = known.has(`${to} ${from} ${type}`)
    if (hasReverse && from > to) return []
    return [{ from: byName.get(from)!, to: byName.get(to)!, type, oneWay: !hasReverse }]
  })
  return {
    corners,
    byName,
    streets,
    width: (right - left) * unit + 2 * MARGIN,
    height: (bottom - top) * unit + 2 * MARGIN,
  }
}
