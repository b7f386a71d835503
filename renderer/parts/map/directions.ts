import type { Point } from './camera.ts'

export type Direction = 'left' | 'right' | 'up' | 'down'

const arrows: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** The direction of an arrow key; null: it is another key. */
export const directionOf = ({ key }: Pick<KeyboardEvent, 'key'>): Direction | null => arrows[key] ?? null

/** Unit vectors on the screen, whose y grows downwards. */
export const vectors: Readonly<Record<Direction, Point>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
}

/** The index of the point that follows another one in a direction, as arrow keys go; the same if there is none farther that way. */
export function pointBeside(points: readonly Point[], index: number, direction: Direction): number {
  const from = points[index]!
  const way = vectors[direction]
  let found = index
  let least = Infinity
  for (const [other, { x, y }] of points.entries()) {
    const along = (x - from.x) * way.x + (y - from.y) * way.y
    const aside = Math.abs((x - from.x) * way.y) + Math.abs((y - from.y) * way.x)
    // Within a quarter of all directions; what is aside counts double.
    if (along <= 1e-9 || aside > along || along + 2 * aside >= least) continue
    found = other
    least = along + 2 * aside
  }
  return found
}
