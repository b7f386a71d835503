/**
 * The part of a relation or a clause type that break-even mathematics needs: how many rows of its truth table with s
 * true arguments satisfy it (or, with `failing`, fail it), s = 0..arity. Prices depend on nothing else.
 */
export interface Kind {
  readonly arity: number
  readonly rows: readonly number[]
  readonly failing: boolean
}

/** Relation `number` of rank 3: bit r is row r of the truth table (section 5.2). */
export function relationKind(number: number): Kind {
  const rows = [0, 0, 0, 0]
  for (let row = 0; row < 8; row++) {
    if ((number >> row) & 1) rows[ones(row)]! += 1
  }
  return { arity: 3, rows, failing: false }
}

/** Clause type (length, positives) of section 5.1: one row fails, the one with all positives false, all negatives true. */
export function clauseKind(length: number, positives: number): Kind {
  const rows = new Array<number>(length + 1).fill(0)
  rows[length - positives] = 1
  return { arity: length, rows, failing: true }
}

/**
 * The satisfied share of all ordered placements of the kind on n variables, k of them true, in units of 1/fall(n,
 * arity).
 */
export function meanAt(kind: Kind, n: number, k: number): bigint {
  let sum = 0n
  kind.rows.forEach((count, s) => {
    if (count > 0) sum += BigInt(count) * fall(k, s) * fall(n - k, kind.arity - s)
  })
  return kind.failing ? fall(n, kind.arity) - sum : sum
}

/** The falling factorial n (n-1) .. (n-k+1); 0 if k > n. */
export function fall(n: number, k: number): bigint {
  let product = 1n
  for (let i = 0; i < k; i++) product *= BigInt(Math.max(0, n - i))
  return product
}

/** The look-ahead polynomial: the probability that the kind holds if every variable is true with probability `bias`. */
export function chance(kind: Kind, bias: number): number {
  let sum = 0
  kind.rows.forEach((count, s) => {
    if (count > 0) sum += count * bias ** s * (1 - bias) ** (kind.arity - s)
  })
  return kind.failing ? 1 - sum : sum
}

/** The derivative of `chance` by the bias. */
export function chanceSlope(kind: Kind, bias: number): number {
  let sum = 0
  kind.rows.forEach((count, s) => {
    if (count === 0) return
    const f = kind.arity - s
    if (s > 0) sum += count * s * bias ** (s - 1) * (1 - bias) ** f
    if (f > 0) sum -= count * f * bias ** s * (1 - bias) ** (f - 1)
  })
  return kind.failing ? -sum : sum
}

/** Equal keys mean equal prices. */
export function kindKey(kind: Kind): string {
  return `${kind.failing ? '!' : ''}${kind.rows.join(',')}`
}

function ones(row: number): number {
  return (row & 1) + ((row >> 1) & 1) + ((row >> 2) & 1)
}
