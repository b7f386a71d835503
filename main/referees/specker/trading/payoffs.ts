import {
  compare,
  fraction,
  fromDecimal,
  fromText,
  multiply,
  subtract,
  type Fraction,
} from '../../../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../../contract/json.ts'
import { energyOf } from './ledger.ts'
import { ENERGY } from '../messages.ts'
import { secretQuality } from '../secrets.ts'
import type { Deal, State } from '../state.ts'

/**
 * The buyer's payoff for an answer, in 10^-9 energy. `discounted`: whether it negated the seller's claim; null: there was
 * none.
 */
export interface Verdict {
  readonly discounted: boolean | null
  readonly payoff: number
}

/**
 * The seller's debt for a solution of this quality, 0 to 1. Rounded down to 10^-9 energy; all comparisons are exact
 * (decision 1).
 * - classic: the quality (section 4.1).
 * - belief: nothing while the belief stands; if it is discounted, price + profitFactor x (quality - f). At quality = f
 *   that is the price itself: "more than the price" of section 5.1 begins above f. A challenge's own belief may be
 *   discounted below f too; then only the price is paid back.
 * - secret: the same with price x s instead of f, where s is the quality of the seller's secret solution; discounted
 *   from price x s on, whatever belief the challenge has.
 *
 * A string says why the challenge file cannot decide.
 */
export function verdictOf(state: State, deal: Deal, solution: Json, quality: Fraction): Verdict | string {
  if (deal.kind === undefined) return { discounted: null, payoff: energyOf(quality) }
  const claim = claimOf(deal)
  const supported = stands(state, deal, solution, quality, claim)
  if (typeof supported === 'string') return supported
  if (supported) return { discounted: false, payoff: 0 }
  return { discounted: true, payoff: discountedPayoff(state, deal, quality, claim) }
}

/** Price + profitFactor x (quality - claim); only the price if the quality is not above the claim. */
function discountedPayoff(state: State, { price }: Deal, quality: Fraction, claim: Fraction): number {
  const beyond = subtract(quality, claim)
  const factor = fromDecimal(state.choices.profitFactor)
  return price + (beyond.n > 0n ? energyOf(multiply(factor, beyond)) : 0)
}

/** The refund of an unfinished sale: the price, unless a discounted claim has already paid it back. */
export function refundOf(_state: State, { price, answer }: Deal): number {
  return answer?.discounted === true ? 0 : price
}

/**
 * The seller's remaining debt to the buyer of a secret that does not hold (decision 13): the payoff for the quality that the
 * seller has shown (0 without a valid solution), but at least the price, minus what the buyer has been paid.
 */
export function owedToDeceived(state: State, deal: Deal): number {
  const { price, answer, shown } = deal
  const quality = fromText(answer!.quality)!
  const claim = multiply(fraction(price, ENERGY), shown === undefined ? fraction(0) : fromText(shown)!)
  const paid = answer!.discounted ? discountedPayoff(state, deal, quality, claimOf(deal)) : 0
  return discountedPayoff(state, deal, quality, claim) - paid
}

/** The quality that the seller claims to be unreachable for the buyer. */
export function claimOf({ price, f, material }: Deal): Fraction {
  const secret = material?.secret
  return secret === undefined ? fraction(f ?? price, ENERGY) : multiply(fraction(price, ENERGY), secretQuality(secret)!)
}

/** True if the seller's claim stands after an answer. */
function stands(state: State, deal: Deal, solution: Json, quality: Fraction, claim: Fraction): boolean | string {
  if (deal.kind === 'secret') return compare(quality, claim) < 0
  const { challenge, config } = state
  return challenge.supports(config.challengeConfig, deal.material!.instance, solution, claim)
}
