import { partOf, randomPoints, type Edge, type Point, type Random, type Sketch } from './sketch.ts'

/** The mean number of rivers of a site far from the border. */
const DEGREE = 6

/**
 * A random geometric graph: sites at random, and a river between any two that are near enough. It may have several
 * components. Sites without rivers are left out.
 */
export function geometric(sites: number, random: Random): Sketch {
  const points = randomPoints(sites, random)
  let radius = Math.sqrt(DEGREE / Math.PI)
  let rivers = closePairs(points, radius)
  // A few sites may all be too far apart.
  while (rivers.length === 0) rivers = closePairs(points, (radius *= 1.5))
  const touched = new Set(rivers.flat())
  return partOf(
    { points, rivers },
    [...points.keys()].filter((site) => touched.has(site)),
  )
}

/** All pairs of points that are at most so far apart. Compares points of neighbouring cells only. */
function closePairs(points: readonly Point[], radius: number): readonly Edge[] {
  const cellOf = ({ x, y }: Point): readonly [number, number] => [Math.floor(x / radius), Math.floor(y / radius)]
  const cells = new Map<string, number[]>()
  const pairs: Edge[] = []
  for (const [site, point] of points.entries()) {
    const [column, row] = cellOf(point)
    for (const [right, down] of around) {
      for (const other of cells.get(`${column + right} ${row + down}`) ?? []) {
        const { x, y } = points[other]!
        if ((x - point.x) ** 2 + (y - point.y) ** 2 <= radius ** 2) pairs.push([other, site])
      }
    }
    const key = `${column} ${row}`
    cells.set(key, [...(cells.get(key) ?? []), site])
  }
  return pairs
}

const around = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down] as const))
