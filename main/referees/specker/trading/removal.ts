import type { SeatId } from '../../../contract/ids.ts'
import { pay, shareOut } from './ledger.ts'
import { owedToDeceived, refundOf } from './payoffs.ts'
import type { Deal, State } from '../state.ts'
import { announce, closeDeal, dealsOf, unlist } from './trade.ts'
import type { Violation } from './violations.ts'

/**
 * How a player leaves. `own`: by what it did, or did not do, when it had to act; `early`: in another player's turn, before
 * its secrets were due, because a payoff took its last energy or its raw material turned out to be at fault.
 */
export type Departure = 'own' | 'early'

/**
 * Rule 9 and decision 8: the player's offers leave the store, and the buyers of its unfinished challenges are refunded
 * from its account, proportionally if it is not enough. Payoffs are paid with the answer, so none is open; a buyer that
 * lost to an unrevealed secret is refunded. The player's purchases stay paid, and nothing is owed for them any more.
 * The rest stays on its account. Returns the numbers of all challenges that end with it.
 */
export function removePlayer(state: State, seat: SeatId, violation: Violation, departure: Departure = 'own'): number[] {
  const player = state.players[seat]!
  const offers = [...player.offers].map((challenge) => state.market.offers.get(challenge)!)
  const sales = dealsOf(state, player.sales)
  const purchases = dealsOf(state, player.purchases)
  const owed = sales.map((deal) => (isLie(state, deal, violation, departure) ? owedToDeceived : refundOf)(state, deal))
  const shares = shareOut(player.account, owed)
  player.removed = true
  const { rule, action, values } = violation
  const about = values['challenge'] === undefined ? {} : { challenge: values['challenge'] }
  state.found.push({ type: 'removed', seat, rule, action, ...about })
  announce(state, { type: 'removed', seat, rule: violation.rule, text: violation.text })
  for (const offer of offers) unlist(state, offer)
  const refunds = sales.map((deal, index) => {
    return { challenge: deal.challenge, buyer: deal.buyer, owed: owed[index]!, paid: shares[index]! }
  })
  for (const [index, { challenge, buyer, owed, paid }] of refunds.entries()) {
    const text = endOf(sales[index]!)
    pay(state, seat, buyer, paid)
    closeDeal(state, sales[index]!)
    state.found.push({ type: 'voided', challenge, refund: paid })
    announce(state, { type: 'voided', seat, challenge, buyer, refund: paid, shortfall: owed - paid, text })
  }
  for (const deal of purchases) {
    closeDeal(state, deal)
    const { challenge, seller } = deal
    state.found.push({ type: 'voided', challenge, refund: 0 })
    const text = 'The buyer was removed before this challenge was finished; what was paid for it stays paid.'
    announce(state, { type: 'voided', seat: seller, challenge, buyer: seat, refund: 0, shortfall: 0, text })
  }
  state.removals.push({ seat, round: state.round, violation, refunds })
  return [...offers, ...sales, ...purchases].map(({ challenge }) => challenge)
}

/**
 * Decision 13, in a match with the setting `as-true`: true if the secret of this sale does not hold. Strictly, no secret
 * holds that was due and is not revealed, whatever the seller is removed for: a liar must not escape by another violation or
 * by a fault. Otherwise only the secret named in the violation counts.
 */
function isLie(
  { choices }: State,
  { challenge, answer }: Deal,
  { rule, values }: Violation,
  departure: Departure,
): boolean {
  if (choices.falseSecrets !== 'as-true' || answer === undefined) return false
  if (choices.judgement !== 'lenient') return departure === 'own'
  return (rule === 'broken-secret' || rule === 'reveal') && values['challenge'] === challenge
}

/** The reason why a removed seller's sale ends. Saved states contain it, so the words of older histories must stay. */
function endOf({ answer }: Deal): string {
  if (answer === undefined) return 'The seller was removed before this challenge was finished.'
  return answer.discounted
    ? 'The seller was removed before he revealed his secret; the buyer has been paid.'
    : 'The seller was removed before he revealed his secret.'
}
