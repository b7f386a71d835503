import { shuffled } from '../../../contract/random.ts'

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

/** The sites of the component with the most sites, ascending; of several the one with the lowest site. */
export function largestComponent(sketch: Sketch): readonly number[] {
  const neighbours = neighboursOf(sketch)
  const seen = new Set<number>()
  let largest: readonly number[] = []
  for (const site of sketch.points.keys()) {
    if (seen.has(site)) continue
    const component = reachable(site, neighbours, seen)
    if (component.length > largest.length) largest = component
  }
  return largest.toSorted((a, b) => a - b)
}

function reachable(from: number, neighbours: readonly (readonly number[])[], seen: Set<number>): readonly number[] {
  const found = [from]
  seen.add(from)
  for (const site of found) {
    for (const next of neighbours[site]!) {
      if (seen.has(next)) continue
      seen.add(next)
      found.push(next)
    }
  }
  return found
}

/**
 * Takes rivers away at random. `share`: from 0 to 1, of those that can go while every two sites that were connected
 * still are; with 1 a tree is left. `next`: 32-bit numbers.
 */
export function thinned({ points, rivers }: Sketch, share: number, next: () => number): Sketch {
  if (share === 0) return { points, rivers }
  const parents = points.map((_, site) => site)
  const rootOf = (site: number): number => {
    let root = site
    while (parents[root] !== root) root = parents[root] = parents[parents[root]!]!
    return root
  }
  const spare: Edge[] = []
  for (const river of shuffled(rivers, next)) {
    const [one, other] = river.map(rootOf)
    if (one === other) spare.push(river)
    else parents[one!] = other!
  }
  const gone = new Set(spare.slice(0, Math.round(share * spare.length)))
  return { points, rivers: rivers.filter((river) => !gone.has(river)) }
}
