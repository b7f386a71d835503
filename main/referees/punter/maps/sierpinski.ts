import { rounded, type Edge, type Point, type Sketch } from './sketch.ts'

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
