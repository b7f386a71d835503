import { fraction, toNumber, type Fraction } from '../../../grammars/formulas/numbers/fraction.ts'
import { chance, chanceSlope, fall, kindKey, meanAt, type Kind } from './kinds.ts'
import { solveGame } from './matrix-game.ts'

/** The break-even of a set of kinds on exactly n variables. */
export interface FiniteBreakEven {
  /** V_n: every raw material permits at least this quality, and the fully symmetric one no more. */
  readonly value: Fraction
  /** The share of each kind in the weight of the worst raw material, in the given order. */
  readonly mixture: readonly Fraction[]
  /** The smallest number of true variables that reaches the value against the mixture. */
  readonly trueCount: number
}

/** The break-even of a set of kinds without a limit on the number of variables. */
export interface LimitBreakEven {
  readonly value: number
  readonly mixture: readonly number[]
  /** The smallest bias that reaches the value against the mixture. */
  readonly bias: number
}

/**
 * V_n in exact fractions: the minimum over mixtures of the maximum over k = 0..n of the mean satisfaction with k true
 * variables. undefined if no kind fits on n variables. Each side adds its best answer until neither improves (double
 * oracle).
 */
export function finiteBreakEven(kinds: readonly Kind[], n: number): FiniteBreakEven | undefined {
  const { firsts, usable } = distinct(kinds, n)
  if (usable.length === 0) return undefined
  const arity = Math.max(...usable.map((kind) => kind.arity))
  const unit = fall(n, arity)
  const table = usable.map((kind) => {
    const scale = unit / fall(n, kind.arity)
    return Array.from({ length: n + 1 }, (_, k) => scale * meanAt(kind, n, k))
  })
  const rows = [0]
  const columns = [bestColumn(table, [0], [1n], n)]
  for (;;) {
    const game = solveGame(rows.map((i) => columns.map((k) => table[i]![k]!)))
    const mix = overCommonUnit(game.rows)
    const replies = overCommonUnit(game.columns)
    const k = bestColumn(table, rows, mix, n)
    const i = bestRow(table, columns, replies)
    const newRow = !rows.includes(i)
    const newColumn = !columns.includes(k)
    // If the best answers are in the game already they cannot beat its value, so it is the value of the whole game.
    if (!newRow && !newColumn) {
      const mixture = new Array<Fraction>(kinds.length).fill(fraction(0n))
      rows.forEach((row, at) => (mixture[firsts[row]!] = game.rows[at]!))
      return { value: fraction(game.value.n, game.value.d * unit), mixture, trueCount: k }
    }
    if (newRow) rows.push(i)
    if (newColumn) columns.push(k)
  }
}

/** About ten rounds of cuts are enough; this only protects the loop from rounding noise. */
const MAX_CUTS = 100
/** Probabilities are converted to integers of this unit, so that the exact solver can be used here too. */
const GRAIN = 2 ** 52

/** V, the limit of V_n for large n, to about 12 digits; undefined without kinds. */
export function limitBreakEven(kinds: readonly Kind[]): LimitBreakEven | undefined {
  const { firsts, usable } = distinct(kinds, Infinity)
  if (usable.length === 0) return undefined
  const biases = [0, 0.5, 1]
  let best: { value: number; shares: readonly number[]; bias: number } | undefined
  for (let cut = 0; cut < MAX_CUTS; cut++) {
    const game = solveGame(usable.map((kind) => biases.map((b) => BigInt(Math.round(chance(kind, b) * GRAIN)))))
    const shares = game.rows.map(toNumber)
    const peaks = peaksOf(usable, shares)
    const top = Math.max(...peaks.map((peak) => peak.value))
    if (best === undefined || top < best.value) {
      best = { value: top, shares, bias: peaks.find((peak) => peak.value > top - 1e-12)!.bias }
    }
    const floor = toNumber(game.value) / GRAIN
    const cuts = peaks.filter((peak) => peak.value > floor + 1e-15 && !biases.includes(peak.bias))
    if (best.value - floor < 1e-14 || cuts.length === 0) break
    for (const peak of cuts) biases.push(peak.bias)
  }
  const mixture = new Array<number>(kinds.length).fill(0)
  best!.shares.forEach((share, at) => (mixture[firsts[at]!] = share))
  return { value: best!.value, mixture, bias: best!.bias }
}

/** The kinds that fit on n variables, one for each profile, with their indices in the given list. */
function distinct(kinds: readonly Kind[], n: number): { firsts: number[]; usable: Kind[] } {
  const seen = new Set<string>()
  const firsts: number[] = []
  const usable: Kind[] = []
  kinds.forEach((kind, at) => {
    const key = kindKey(kind)
    if (kind.arity > n || seen.has(key)) return
    seen.add(key)
    firsts.push(at)
    usable.push(kind)
  })
  return { firsts, usable }
}

/** Scales shares to integers; only their proportions matter for a best answer. */
function overCommonUnit(shares: readonly Fraction[]): bigint[] {
  const unit = shares.reduce((product, share) => product * share.d, 1n)
  return shares.map((share) => (share.n * unit) / share.d)
}

function bestColumn(
  table: readonly (readonly bigint[])[],
  rows: readonly number[],
  mix: readonly bigint[],
  n: number,
): number {
  let best = -1
  let top = 0n
  for (let k = 0; k <= n; k++) {
    const value = rows.reduce((sum, i, at) => sum + mix[at]! * table[i]![k]!, 0n)
    if (best < 0 || value > top) {
      best = k
      top = value
    }
  }
  return best
}

function bestRow(
  table: readonly (readonly bigint[])[],
  columns: readonly number[],
  replies: readonly bigint[],
): number {
  let best = -1
  let low = 0n
  table.forEach((line, i) => {
    const value = columns.reduce((sum, k, at) => sum + replies[at]! * line[k]!, 0n)
    if (best < 0 || value < low) {
      best = i
      low = value
    }
  })
  return best
}

/** The local maxima of the mixed look-ahead polynomial on [0, 1], by ascending bias. */
function peaksOf(kinds: readonly Kind[], shares: readonly number[]): { bias: number; value: number }[] {
  const parts = kinds.flatMap((kind, i) => (shares[i]! > 0 ? [{ kind, share: shares[i]! }] : []))
  const valueAt = (b: number): number => parts.reduce((sum, { kind, share }) => sum + share * chance(kind, b), 0)
  const slopeAt = (b: number): number => parts.reduce((sum, { kind, share }) => sum + share * chanceSlope(kind, b), 0)
  const steps = 32 * Math.max(...kinds.map((kind) => kind.arity))
  const peaks = [{ bias: 0, value: valueAt(0) }]
  for (let step = 0; step < steps; step++) {
    let low = step / steps
    let high = (step + 1) / steps
    if (!(slopeAt(low) > 0 && slopeAt(high) <= 0)) continue
    for (let halving = 0; halving < 52; halving++) {
      const middle = (low + high) / 2
      if (slopeAt(middle) > 0) low = middle
      else high = middle
    }
    peaks.push({ bias: high, value: valueAt(high) })
  }
  peaks.push({ bias: 1, value: valueAt(1) })
  return peaks
}
