import {
  compare,
  fraction,
  fromDecimal,
  fromText,
  multiply,
  subtract,
  type Fraction,
} from '../../../grammars/formulas/fraction.ts'
import type { Json } from '../../contract/json.ts'
import { energyOf } from './ledger.ts'
import { ENERGY } from './messages.ts'
import { secretQuality } from './secrets.ts'
import type { Deal, State } from './state.ts'

/** What an answer brings the buyer, in 10^-9 energy. `discounted`: he negated the seller's claim; null: there was none. */
export interface Verdict {
  readonly discounted: boolean | null
  readonly payoff: number
}

/**
 * What the seller owes for a solution of this quality, 0 to 1. Rounded down to 10^-9 energy; all comparisons are exact
 * (decision 1).
 * - classic: the quality (section 4.1).
 * - belief: nothing while the belief stands; once it is discounted price + profitFactor x (quality - f). At quality = f that
 *   is the price itself: section 5.1's "more than the price" begins above f. A challenge's own belief may be discounted
 *   below f too; then the price comes back and no more.
 * - secret: the same with price x s in the place of f, s being the quality of the seller's secret solution; discounted from
 *   price x s on, whatever belief the challenge has.
 *
 * A string: the challenge file cannot tell, and the sentence says why.
 */
export function verdictOf(state: State, deal: Deal, solution: Json, quality: Fraction): Verdict | string {
  if (deal.kind === undefined) return { discounted: null, payoff: energyOf(quality) }
  const claim = claimOf(deal)
  const supported = stands(state, deal, solution, quality, claim)
  if (typeof supported === 'string') return supported
  if (supported) return { discounted: false, payoff: 0 }
  return { discounted: true, payoff: discountedPayoff(state, deal, quality, claim) }
}

/** Price + profitFactor x (quality - claim); the price alone where the quality is not above the claim. */
function discountedPayoff(state: State, { price }: Deal, quality: Fraction, claim: Fraction): number {
  const beyond = subtract(quality, claim)
  const factor = fromDecimal(state.choices.profitFactor)
  return price + (beyond.n > 0n ? energyOf(multiply(factor, beyond)) : 0)
}

/** What a sale that ends unfinished owes its buyer: his price, unless a discounted claim has already brought it back. */
export function refundOf(_state: State, { price, answer }: Deal): number {
  return answer?.discounted === true ? 0 : price
}

/**
 * What a seller still owes the buyer of a secret that does not stand (decision 13): the payoff for the quality that the seller
 * has shown, 0 where it has shown no solution that counts, and at least the price; less what the buyer has been paid.
 */
export function owedToDeceived(state: State, deal: Deal): number {
  const { price, answer, shown } = deal
  const quality = fromText(answer!.quality)!
  const claim = multiply(fraction(price, ENERGY), shown === undefined ? fraction(0) : fromText(shown)!)
  const paid = answer!.discounted ? discountedPayoff(state, deal, quality, claimOf(deal)) : 0
  return discountedPayoff(state, deal, quality, claim) - paid
}

/** The quality that the seller says the buyer cannot reach. */
function claimOf({ price, f, material }: Deal): Fraction {
  const secret = material?.secret
  return secret === undefined ? fraction(f ?? price, ENERGY) : multiply(fraction(price, ENERGY), secretQuality(secret)!)
}

/** Whether an answer leaves the seller's claim standing. */
function stands(state: State, deal: Deal, solution: Json, quality: Fraction, claim: Fraction): boolean | string {
  if (deal.kind === 'secret') return compare(quality, claim) < 0
  const { challenge, config } = state
  return challenge.supports(config.challengeConfig, deal.material!.instance, solution, claim)
}
