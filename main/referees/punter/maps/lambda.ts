import { largestComponent } from './components.ts'
import { partOf, rounded, type Edge, type Point, type Sketch } from './sketch.ts'

/** The strokes of a lambda in a square of side 1, with the origin at the top left. */
const strokes = [
  [
    { x: 0.2, y: 0 },
    { x: 0.85, y: 1 },
  ],
  [
    { x: 0.5, y: 0.46 },
    { x: 0.15, y: 1 },
  ],
] as const
const WIDTH = 0.16

/** A lambda cut out of a lattice of triangles, with at most the given number of sites. */
export function lambda(sites: number): Sketch {
  // The finest lattice that has no more sites than that. Its fineness is halved in so often that it is exact.
  let [coarse, fine] = [1, 4 * Math.sqrt(sites) + 8]
  for (let step = 0; step < 30; step++) {
    const rows = (coarse + fine) / 2
    if (cut(rows).points.length <= sites) coarse = rows
    else fine = rows
  }
  return cut(coarse)
}

/** `rows`: of the lattice, from the top to the bottom of the letter. */
function cut(rows: number): Sketch {
  const height = 1 / rows
  const step = (2 * height) / Math.sqrt(3)
  const points: Point[] = []
  const numbers = new Map<string, number>()
  const rivers: Edge[] = []
  for (let row = 0; row <= rows; row++) {
    for (let column = -rows; column * step <= 1; column++) {
      const point = { x: (column + row / 2) * step, y: row * height }
      if (!isInk(point)) continue
      const site = points.push({ x: rounded(point.x / step), y: rounded(point.y / step) }) - 1
      numbers.set(`${row} ${column}`, site)
      for (const before of [`${row} ${column - 1}`, `${row - 1} ${column}`, `${row - 1} ${column + 1}`]) {
        const other = numbers.get(before)
        if (other !== undefined) rivers.push([other, site])
      }
    }
  }
  const whole = { points, rivers }
  return partOf(whole, largestComponent(whole))
}

const isInk = (point: Point): boolean => strokes.some(([from, to]) => distance(point, from, to) <= WIDTH / 2)

/** From a point to a line segment. */
function distance({ x, y }: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const along = ((x - from.x) * dx + (y - from.y) * dy) / (dx ** 2 + dy ** 2)
  const part = Math.min(1, Math.max(0, along))
  return Math.hypot(x - from.x - part * dx, y - from.y - part * dy)
}
