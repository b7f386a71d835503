/** A map that is being made: sites are numbered from 0, and a river joins two different sites. */
export interface Sketch {
  readonly points: readonly Point[]
  readonly rivers: readonly Edge[]
}

/** In units of about the length of a short river. */
export interface Point {
  readonly x: number
  readonly y: number
}

export type Edge = readonly [source: number, target: number]

/** Returns uniform numbers from 0 to below 1. */
export type Random = () => number

/** The sites at the other ends of each site's rivers. */
export function neighboursOf({ points, rivers }: Sketch): readonly (readonly number[])[] {
  const neighbours: number[][] = points.map(() => [])
  for (const [source, target] of rivers) {
    neighbours[source]!.push(target)
    neighbours[target]!.push(source)
  }
  return neighbours
}

/** Only these sites, numbered anew in their order, and the rivers between them. */
export function partOf({ points, rivers }: Sketch, kept: readonly number[]): Sketch {
  const numbers = new Map(kept.map((site, at) => [site, at]))
  return {
    points: kept.map((site) => points[site]!),
    rivers: rivers.flatMap(([source, target]): readonly Edge[] => {
      const [one, other] = [numbers.get(source), numbers.get(target)]
      return one === undefined || other === undefined ? [] : [[one, other]]
    }),
  }
}

/** Different points at random in a square in which a point has an area of 1. */
export function randomPoints(count: number, random: Random): readonly Point[] {
  const side = Math.sqrt(count)
  const points = new Map<string, Point>()
  while (points.size < count) {
    const [x, y] = [rounded(random() * side), rounded(random() * side)]
    points.set(`${x} ${y}`, { x, y })
  }
  return [...points.values()]
}

/** To three decimals, so that files are short and the same on every system. */
export const rounded = (coordinate: number): number => Math.round(coordinate * 1_000) / 1_000 || 0
