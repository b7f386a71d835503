import { partOf, randomPoints, type Edge, type Point, type Random, type Sketch } from './sketch.ts'
import Delaunator from 'delaunator'

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

/** The Delaunay triangulation of random sites: all short rivers that cross no other one. */
export function delaunay(sites: number, random: Random): Sketch {
  const points = randomPoints(sites, random)
  return { points, rivers: triangulated(points).map(({ edge }) => edge) }
}

/**
 * The Gabriel graph of random sites, which looks like the streets of a town: the rivers of their Delaunay triangulation
 * for which no other site lies in the circle whose diameter they are.
 */
export function gabriel(sites: number, random: Random): Sketch {
  const points = randomPoints(sites, random)
  const isFree = ({ edge: [source, target], opposite }: Side): boolean =>
    opposite.every((site) => !isInCircle(points[site]!, points[source]!, points[target]!))
  return {
    points,
    rivers: triangulated(points)
      .filter(isFree)
      .map(({ edge }) => edge),
  }
}

/** A side of triangles, with the third corners of the one or two to which it belongs. */
interface Side {
  readonly edge: Edge
  readonly opposite: readonly number[]
}

function triangulated(points: readonly Point[]): readonly Side[] {
  const { triangles, halfedges, hull } = Delaunator.from(
    [...points],
    ({ x }) => x,
    ({ y }) => y,
  )
  // Points on one line have no triangles; the hull has them in their order.
  if (triangles.length === 0)
    return Array.from(hull.subarray(1), (site, at) => ({ edge: [hull[at]!, site], opposite: [] }))
  const next = (side: number): number => (side % 3 === 2 ? side - 2 : side + 1)
  return Array.from(triangles).flatMap((source, side): readonly Side[] => {
    const twin = halfedges[side]!
    if (twin > side) return []
    const opposite = [side, twin].filter((each) => each >= 0).map((each) => triangles[next(next(each))]!)
    return [{ edge: [source, triangles[next(side)]!], opposite }]
  })
}

/** True if a point sees a diameter at more than a right angle. */
function isInCircle(point: Point, one: Point, other: Point): boolean {
  return (one.x - point.x) * (other.x - point.x) + (one.y - point.y) * (other.y - point.y) < 0
}
