import type { Course } from './course.ts'

/** The rivers that one punter uses, as far as scores need them. */
export interface Network {
  /** Adds a river; adding one twice changes nothing. */
  join(source: number, target: number): void
  isJoined(site: number, other: number): boolean
  /** The square of its distance for each mine and each site that is joined to it. */
  score(): number
}

/**
 * Sites in sets that are united as rivers are added. Each pair of a mine and a site is counted once, when it comes into one
 * set, so that a whole match costs no more than the pairs there are.
 */
export function createNetwork({ ids, mines, distances, mine }: Course): Network {
  const parents = Int32Array.from(ids, (_, site) => site)
  const sizes = new Int32Array(ids.length).fill(1)
  /** The sites of a set in a ring: the next one of each. */
  const rings = Int32Array.from(ids, (_, site) => site)
  /** By root: the mines of its set, as their places; absent: none. */
  const minesOf = new Map<number, readonly number[]>(mines.map((site) => [site, [mine(site)!]]))
  let score = 0

  const find = (site: number): number => {
    let root = site
    while (parents[root] !== root) root = parents[root]!
    for (let at = site; at !== root;) {
      const next = parents[at]!
      parents[at] = root
      at = next
    }
    return root
  }
  /** The earnings of the mines of one set from the sites of another. */
  const earn = (of: number, from: number): void => {
    for (const place of minesOf.get(of) ?? []) {
      const distance = distances[place]!
      let site = from
      do {
        const d = distance[site]!
        score += d * d
        site = rings[site]!
      } while (site !== from)
    }
  }

  return {
    join(source, target) {
      const a = find(source)
      const b = find(target)
      if (a === b) return
      earn(a, b)
      earn(b, a)
      const [root, child] = sizes[a]! < sizes[b]! ? [b, a] : [a, b]
      parents[child] = root
      sizes[root]! += sizes[child]!
      const next = rings[root]!
      rings[root] = rings[child]!
      rings[child] = next
      const added = minesOf.get(child)
      if (added === undefined) return
      minesOf.delete(child)
      minesOf.set(root, [...(minesOf.get(root) ?? []), ...added])
    },
    isJoined: (site, other) => find(site) === find(other),
    score: () => score,
  }
}
