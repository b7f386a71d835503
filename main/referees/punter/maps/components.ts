import { neighboursOf, type Sketch } from './sketch.ts'

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
