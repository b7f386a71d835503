import { shuffled } from '../../../contract/random.ts'
import type { Edge, Sketch } from './sketch.ts'

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
