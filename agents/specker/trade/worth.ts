import {
  compare,
  floorOf,
  fraction,
  fromDecimal,
  multiply,
  subtract,
  type Fraction,
} from '../../../grammars/formulas/fraction.ts'
import type { StartMessage } from '../../../main/referees/specker/messages.ts'
import { ENERGY, type Terms } from './desk.ts'

/**
 * What challenges of each kind are worth, in 10^-9 energy. `v` is the break-even value of the predicate: no raw material
 * keeps a good buyer below it, and the symmetric one keeps everybody there. p is the price, π the profit factor.
 *
 * - classic (4.1): the buyer gets q for p. Both sides can make sure of q = v, so the break-even price is v.
 * - belief (5.1): the buyer gets p + π (q - f) from q = f on, and nothing below. Both make sure of q = v: what breaks even is
 *   f = v, whatever the price; below it the buyer wins π (v - f), above it the seller wins the whole price.
 * - secret: the buyer gets p + π (q - p s) from q = p s on, s being what the seller itself can reach. A buyer who always
 *   finds the best solution has q >= s, so it never loses at any price up to 1: the seller's best is to know its optimum
 *   (s = q) and to make it small (q = v), which brings the buyer π v (1 - p). So the break-even price is 1 for every
 *   predicate, and v only says how fast a lower price hurts. Symmetric raw material hides nothing here: its best solution is
 *   known to all. A buyer who cannot be sure of the best solution is sure of q >= v, and s may be 1 (planted): it is safe up
 *   to the price v, where it wins π (v - p), and above it may lose all. Between v and 1 its break-even price is the part of
 *   the best quality that its solver reaches; that is why secret challenges are a contest of solvers, not of prices.
 */
export interface Worth {
  /** What a buyer is sure to win. `v`: what raw material of others leaves at least. `exact`: the buyer finds the best solution. */
  gain(terms: Terms, v: number, exact: boolean): number
  /** What a seller loses at most, with its own raw material of best quality `v`; below 0 it wins. */
  cost(terms: Terms, v: number): number
  /** What a seller pays at most when the solution comes. */
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

/** What an answer of this quality brings its buyer, rounded down, as the rules have it. `secret`: what the seller promised. */
export function payoffOf(terms: Terms, quality: Fraction, secret: Fraction | null, profitFactor: number): number {
  const { kind, price, f = price } = terms
  if (kind === 'classic') return inEnergy(quality)
  const claim = kind === 'belief' ? fraction(f, ENERGY) : multiply(fraction(price, ENERGY), secret ?? fraction(1))
  if (compare(quality, claim) < 0) return 0
  return price + inEnergy(multiply(fromDecimal(profitFactor), subtract(quality, claim)))
}

/** In 10^-9 energy, rounded down: so are payoffs, and prices that stand against them. */
export function inEnergy(value: Fraction): number {
  return Number(floorOf(multiply(value, fraction(ENERGY))))
}
