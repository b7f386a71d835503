/** Objects by type. */
export type Share = readonly number[]

/** What an entry may note for its owner. */
export type Log = (value: unknown) => void

/** What a share is worth to who values the types so. */
export function worth(share: Share, values: readonly number[]): number {
  let sum = 0
  for (let type = 0; type < share.length; type++) sum += share[type]! * values[type]!
  return sum
}

/** What is left for the other side. */
export function rest(counts: Share, share: Share): Share {
  return counts.map((count, type) => count - share[type]!)
}

/** Everything that is worth something. */
export function valued(counts: Share, values: readonly number[]): Share {
  return counts.map((count, type) => (values[type]! > 0 ? count : 0))
}

/** In how many ways the objects can be shared out. */
function waysToShare(counts: Share): number {
  return counts.reduce((ways, count) => ways * (count + 1), 1)
}

/** Every share that there is, the empty one first. Large for many objects: see `waysToShare`. */
function allShares(counts: Share): readonly Share[] {
  let shares: number[][] = [[]]
  for (const count of counts) {
    const longer: number[][] = []
    for (const share of shares) for (let objects = 0; objects <= count; objects++) longer.push([...share, objects])
    shares = longer
  }
  return shares
}

/**
 * Shares worth considering where there are too many to list: beginning with everything, object by object is given away in the
 * order of what it costs me for what it is thought to be worth to the partner.
 */
export function ladder(counts: Share, values: readonly number[], partner: readonly number[]): readonly Share[] {
  const cost = (type: number): number => values[type]! / (partner[type]! + 1e-6)
  const order = counts.map((_, type) => type).sort((a, b) => cost(a) - cost(b))
  const share = [...counts]
  const rungs: Share[] = [[...share]]
  for (const type of order) {
    while (share[type]! > 0) {
      share[type]! -= 1
      rungs.push([...share])
    }
  }
  return rungs
}

/** All shares, or those of the ladder where all are too many. */
export function shares(counts: Share, values: readonly number[], partner: readonly number[]): readonly Share[] {
  return waysToShare(counts) <= LISTED ? allShares(counts) : ladder(counts, values, partner)
}

/** A turn must not take long. */
const LISTED = 2_000
