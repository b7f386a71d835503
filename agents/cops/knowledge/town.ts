/** How somebody moves. */
export type Ptype = 'cop-foot' | 'cop-car' | 'robber'

/** The world skeleton: the map and who plays. */
export interface Skeleton {
  readonly name: string
  readonly robber: string
  readonly cops: readonly string[]
  readonly nodes: readonly { readonly loc: string; readonly tag: string; readonly x: number; readonly y: number }[]
  readonly edges: readonly { readonly from: string; readonly to: string; readonly type: 'foot' | 'car' }[]
}

/** A map with numbered corners, for searches. */
export interface Town {
  readonly names: readonly string[]
  readonly numbers: ReadonlyMap<string, number>
  readonly banks: readonly number[]
  readonly headquarters: number
  readonly start: number
  /** The corners to which a robot can go in one move, other than staying, by corner. */
  readonly ways: { readonly foot: readonly (readonly number[])[]; readonly car: readonly (readonly number[])[] }
  /** Moves from one corner to another, by `from * corners + to`. */
  readonly steps: { readonly foot: Uint8Array; readonly car: Uint8Array }
}

/** Steps of a corner that cannot be reached. */
export const FAR = 255

export function townOf({ nodes, edges }: Skeleton): Town {
  const names = nodes.map(({ loc }) => loc)
  const numbers = new Map(names.map((name, at) => [name, at]))
  const foot = nodes.map(() => new Set<number>())
  const car = nodes.map(() => new Set<number>())
  for (const { from, to, type } of edges) {
    const [a, b] = [numbers.get(from)!, numbers.get(to)!]
    car[a]!.add(b)
    if (type === 'car') continue
    foot[a]!.add(b)
    foot[b]!.add(a)
  }
  const ways = { foot: foot.map((set) => [...set]), car: car.map((set) => [...set]) }
  const tagged = (tag: string): number[] => nodes.flatMap((node, at) => (node.tag === tag ? [at] : []))
  return {
    names,
    numbers,
    banks: tagged('bank'),
    headquarters: tagged('hq')[0] ?? 0,
    start: tagged('robber-start')[0] ?? 0,
    ways,
    steps: { foot: allSteps(ways.foot), car: allSteps(ways.car) },
  }
}

/** True if a robot drives: cars may take shortcuts and obey one-way streets. */
export const modeOf = (ptype: Ptype): 'foot' | 'car' => (ptype === 'cop-car' ? 'car' : 'foot')

/** Moves of a robot from one corner to another. */
export function stepsOf({ steps, names }: Town, ptype: Ptype, from: number, to: number): number {
  return steps[modeOf(ptype)][from * names.length + to]!
}

function allSteps(ways: readonly (readonly number[])[]): Uint8Array {
  const size = ways.length
  const steps = new Uint8Array(size * size).fill(FAR)
  for (let start = 0; start < size; start++) {
    const row = steps.subarray(start * size, (start + 1) * size)
    row[start] = 0
    const queue = [start]
    for (const corner of queue) {
      for (const next of ways[corner]!) {
        if (row[next] !== FAR) continue
        row[next] = row[corner]! + 1
        queue.push(next)
      }
    }
  }
  return steps
}
