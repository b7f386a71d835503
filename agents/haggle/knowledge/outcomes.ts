import { rest, worth, type Share } from './shares.ts'

/**
 * The value left to the partner, for every share of mine and every valuation that it may have. Tables have a row for each share,
 * with a cell for each valuation.
 */
export interface Outcomes {
  readonly shares: readonly Share[]
  /** The number of valuations, which is the length of a row. */
  readonly valuations: number
  /** By share: its value to me. */
  readonly mine: readonly number[]
  /** By share and valuation: the value of the remainder to the partner. */
  readonly theirs: Uint16Array
  /** By share and valuation: 1 if the remainder has objects that are worth nothing to the partner. */
  readonly wasted: Uint8Array
}

/** The outcomes of the shares if my values are `values` and the partner's are one of the valuations. */
export function outcomesOf(
  counts: Share,
  values: readonly number[],
  shares: readonly Share[],
  valuations: readonly (readonly number[])[],
): Outcomes {
  const theirs = new Uint16Array(shares.length * valuations.length)
  const wasted = new Uint8Array(theirs.length)
  let cell = 0
  for (const share of shares) {
    const left = rest(counts, share)
    for (const valuation of valuations) {
      theirs[cell] = worth(left, valuation)
      wasted[cell] = left.some((count, type) => count > 0 && valuation[type] === 0) ? 1 : 0
      cell++
    }
  }
  return { shares, valuations: valuations.length, mine: shares.map((share) => worth(share, values)), theirs, wasted }
}
