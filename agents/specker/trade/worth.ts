import {
  compare,
  floorOf,
  fraction,
  fromDecimal,
  multiply,
  subtract,
  type Fraction,
} from '../../../grammars/formulas/numbers/fraction.ts'
import type { StartMessage } from '../../../main/referees/specker/messages.ts'
import { ENERGY, type Terms } from './desk.ts'

/**
 * The value of challenges of each kind, in 10^-9 energy. `v` is the break-even value of the predicate: every raw
 * material permits a good buyer at least this quality, and the symmetric one permits nobody more. p is the price, π the
 * profit factor.
 *
 * - classic (4.1): the buyer gets q for p. Both sides can guarantee q = v, so the break-even price is v.
 * - belief (5.1): the buyer gets p + π (q - f) from q = f on, and nothing below. Both can guarantee q = v, so it breaks
 *   even at f = v, whatever the price; below it the buyer wins π (v - f), above it the seller wins the whole price.
 * - secret: the buyer gets p + π (q - p s) from q = p s on, where s is what the seller itself can reach. A buyer that
 *   always finds the best solution has q >= s, so it never loses at any price up to 1: the seller's best strategy is to
 *   know its optimum (s = q) and to make it small (q = v), which yields the buyer π v (1 - p). So the break-even price
 *   is 1 for every predicate, and v only determines the loss at a lower price. Symmetric raw material hides nothing
 *   here: its best solution is known to all. A buyer that cannot be sure of the best solution is sure of q >= v, and s
 *   may be 1 (planted): it is safe up to the price v, where it wins π (v - p), and above it may lose everything.
 *   Between v and 1 its break-even price is the part of the best quality that its solver reaches; that is why secret
 *   challenges are a contest of solvers, not of prices.
 */
export interface Worth {
  /**
   * The guaranteed gain of a buyer. `v`: the minimum quality of others' raw material. `exact`: the buyer finds the best
   * solution.
   */
  gain(terms: Terms, v: number, exact: boolean): number
  /** The maximum loss of a seller whose own raw material has the best quality `v`; negative: a gain. */
  cost(terms: Terms, v: number): number
  /** The maximum that a seller pays when the solution comes. */
  debt(terms: Terms, v: number): number
}

export function worthOf({ profitFactor = 1 }: Pick<StartMessage['config'], 'profitFactor'>): Worth {
  const cost = ({ kind, price, f = price }: Terms, v: number): number => {
    if (kind === 'classic') return v - price
    if (kind === 'secret') return profitFactor * v * (1 - price / ENERGY)
    return v >= f ? profitFactor * (v - f) : -price
  }
  return {
    cost,
    gain(terms, v, exact) {
      if (terms.kind !== 'secret' || exact) return cost(terms, v)
      return v >= terms.price ? profitFactor * (v - terms.price) : -terms.price
    },
    debt: (terms, v) => Math.max(0, terms.price + cost(terms, v)),
  }
}

/**
 * The payment to the buyer for an answer of this quality, rounded down as in the rules. `secret`: the quality that the seller
 * claimed.
 */
export function payoffOf(terms: Terms, quality: Fraction, secret: Fraction | null, profitFactor: number): number {
  const { kind, price, f = price } = terms
  if (kind === 'classic') return inEnergy(quality)
  const claim = kind === 'belief' ? fraction(f, ENERGY) : multiply(fraction(price, ENERGY), secret ?? fraction(1))
  if (compare(quality, claim) < 0) return 0
  return price + inEnergy(multiply(fromDecimal(profitFactor), subtract(quality, claim)))
}

/** In 10^-9 energy, rounded down, like payoffs and the prices compared with them. */
export function inEnergy(value: Fraction): number {
  return Number(floorOf(multiply(value, fraction(ENERGY))))
}
