import { distance, middleOf, type Layout, type Point } from './layout.ts'

export type Direction = 'left' | 'right' | 'up' | 'down'

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

/** Unit vectors on the screen, whose y grows downwards. */
const ways: Readonly<Record<Direction, Point>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
}

/** The river that follows another in a direction, as arrow keys go; the river itself if there is none farther that way. */
export function riverBeside(layout: Layout, river: number, direction: Direction): number {
  const from = middleOf(layout, river)
  const way = ways[direction]
  let found = river
  let least = Infinity
  for (const other of layout.rivers.keys()) {
    const { x, y } = middleOf(layout, other)
    const along = (x - from.x) * way.x + (y - from.y) * way.y
    const aside = Math.abs((x - from.x) * way.y) + Math.abs((y - from.y) * way.x)
    // Within a quarter of all directions; what is aside counts double.
    if (along <= 1e-9 || aside > along || along + 2 * aside >= least) continue
    found = other
    least = along + 2 * aside
  }
  return found
}

function distanceToLine(point: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const square = dx * dx + dy * dy
  const along = square === 0 ? 0 : ((point.x - a.x) * dx + (point.y - a.y) * dy) / square
  const part = Math.min(1, Math.max(0, along))
  return Math.hypot(point.x - a.x - part * dx, point.y - a.y - part * dy)
}
