/** The number of objects by type. */
export type Share = readonly number[]

/** Logs a value for the agent's owner. */
export type Log = (value: unknown) => void

/** The value of a share for a side with these values. */
export function worth(share: Share, values: readonly number[]): number {
  let sum = 0
  for (let type = 0; type < share.length; type++) sum += share[type]! * values[type]!
  return sum
}

/** The remainder for the other side. */
export function rest(counts: Share, share: Share): Share {
  return counts.map((count, type) => count - share[type]!)
}

/** All objects that are worth something. */
export function valued(counts: Share, values: readonly number[]): Share {
  return counts.map((count, type) => (values[type]! > 0 ? count : 0))
}

/** The number of ways to divide the objects. */
function waysToShare(counts: Share): number {
  return counts.reduce((ways, count) => ways * (count + 1), 1)
}

/** All shares, the empty one first. There may be very many: see `waysToShare`. */
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
 * Shares to consider when there are too many to list: starting from everything, objects are given away one by one, in
 * the order of their cost to me relative to their estimated value to the partner.
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

/** All shares, or those of the ladder if there are too many. */
export function shares(counts: Share, values: readonly number[], partner: readonly number[]): readonly Share[] {
  return waysToShare(counts) <= LISTED ? allShares(counts) : ladder(counts, values, partner)
}

/** More would take too long for a turn. */
const LISTED = 2_000

/** Compares two shares, or two valuations. */
export function same(one: Share, other: Share): boolean {
  return one.every((count, type) => count === other[type])
}
