import { largestComponent, partOf, rounded, type Edge, type Point, type Sketch } from './sketch.ts'

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

type Triangle = readonly [number, number, number]

/** A Sierpinski triangle as fine as the number of sites allows: 3, 6, 15, 42, 123 and so on. `sites`: at least 3. */
export function sierpinski(sites: number): Sketch {
  let depth = 0
  while ((3 ** (depth + 2) + 3) / 2 <= sites) depth += 1
  const height = Math.sqrt(3) / 2
  const points: Point[] = [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 0.5, y: height },
  ]
  const middles = new Map<string, number>()
  const middle = (one: number, other: number): number => {
    const key = `${Math.min(one, other)} ${Math.max(one, other)}`
    const known = middles.get(key)
    if (known !== undefined) return known
    const [a, b] = [points[one]!, points[other]!]
    middles.set(key, points.length)
    return points.push({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }) - 1
  }
  const split = ([a, b, c]: Triangle): readonly Triangle[] => {
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)]
    return [
      [a, ab, ca],
      [ab, b, bc],
      [ca, bc, c],
    ]
  }
  let triangles: readonly Triangle[] = [[0, 1, 2]]
  for (let level = 0; level < depth; level++) triangles = triangles.flatMap(split)
  const scale = 2 ** depth
  return {
    points: points.map(({ x, y }) => ({ x: rounded(x * scale), y: rounded(y * scale) })),
    rivers: triangles.flatMap(([a, b, c]): readonly Edge[] => [
      [a, b],
      [b, c],
      [c, a],
    ]),
  }
}

/** A square grid of exactly the given number of sites; its last row may be shorter. */
export function grid(sites: number): Sketch {
  const columns = Math.ceil(Math.sqrt(sites))
  const numbers = Array.from({ length: sites }, (_, site) => site)
  return {
    points: numbers.map((site) => ({ x: site % columns, y: Math.floor(site / columns) })),
    rivers: numbers.flatMap((site): readonly Edge[] => [
      ...(site % columns < columns - 1 && site + 1 < sites ? [[site, site + 1] as const] : []),
      ...(site + columns < sites ? [[site, site + columns] as const] : []),
    ]),
  }
}

/** A spider's web: threads from the site in the middle, and rings around it, with at most the given number of sites in all. */
export function web(sites: number): Sketch {
  const threads = Math.max(3, Math.min(sites - 1, Math.round(Math.sqrt(2 * sites))))
  const rings = Math.floor((sites - 1) / threads)
  const points: Point[] = [{ x: 0, y: 0 }]
  const rivers: Edge[] = []
  for (let ring = 0; ring < rings; ring++) {
    for (let thread = 0; thread < threads; thread++) {
      const angle = (2 * Math.PI * thread) / threads
      const site =
        points.push({ x: rounded((ring + 1) * Math.cos(angle)), y: rounded((ring + 1) * Math.sin(angle)) }) - 1
      rivers.push([ring === 0 ? 0 : site - threads, site])
      rivers.push([site, thread === threads - 1 ? site + 1 - threads : site + 1])
    }
  }
  return { points, rivers }
}
