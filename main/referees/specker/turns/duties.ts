import { barrenness } from '../analysis/barren.ts'
import { firstPlayable, legalOfferLeft } from '../analysis/predicates.ts'
import { trading, type Deal, type State } from '../state.ts'
import { voidDeal } from '../trading/deliveries.ts'
import { debtOf, dueDeliveries, dueReveals, dueSolutions } from '../trading/trade.ts'
import type { Turn } from '../trading/turn.ts'
import { breach, energy, type Breach } from '../trading/violations.ts'

/** The first duty that a player has not fulfilled by the end of a turn; null: none (rules 2, 3 and 4). */
export function neglected(state: State, turn: Turn): Breach | null {
  const { seat } = turn
  for (const deal of [...dueDeliveries(state, seat), ...dueSolutions(state, seat), ...dueReveals(state, seat)]) {
    if (!excused(state, deal)) return missing(deal, 'in this turn')
  }
  if (!trading(state)) return null
  const { step } = state
  const decided = step === null || step === 'decide' ? refusedToTrade(state, turn) : null
  return decided ?? (step === null || step === 'offer' ? offeredTooLittle(state, turn) : null)
}

const owed = { delivery: 'raw material', solution: 'a solution', reveal: 'the secret solution' } as const

/** Voids a sale for which nothing came that the challenge file could have drawn; false: its debtor is at fault. */
export function excused(state: State, deal: Deal): boolean {
  const fault = debtOf(deal).owes === 'reveal' ? null : barrenness(state)
  if (fault === null) return false
  voidDeal(state, deal, fault)
  return true
}

/** `when`: the deadline in words. */
export function missing(deal: Deal, when: string): Breach {
  const { challenge } = deal
  const { owes } = debtOf(deal)
  return breach(owes, { challenge }, `${owed[owes]} for challenge ${challenge} was due ${when} and did not come.`)
}

/**
 * Rule 2 and decision 3: buy, or lower the offers of others. An offer at 0 cannot be lowered and is left out of "all";
 * if all are at 0, one must be accepted. An offer of which the file draws nothing is left out too, since the player that lowers it
 * owes its raw material (decision 22); a player that lowers nothing must still accept an offer if it can pay for one.
 */
function refusedToTrade(state: State, turn: Turn): Breach | null {
  if (turn.accepted > 0) return null
  const { acceptOrReoffer } = state.config
  if (turn.reoffered > 0 && acceptOrReoffer === 'one') return null
  const others = [...state.market.offers.values()].filter((offer) => offer.seller !== turn.seat)
  const left = turn.reoffered > 0 ? others.filter((offer) => offer.price > 0) : others
  const { account } = state.players[turn.seat]!
  const payable = turn.reoffered > 0 ? undefined : left.find(({ price }) => account - price > 0)
  const isEarlier = state.choices.judgement !== 'complete'
  const first = payable === undefined ? firstPlayable(state, left) : isEarlier ? left[0] : payable
  if (first === undefined) return null
  const values = { reoffered: turn.reoffered, left: left.length, first: first.challenge }
  const wanted = acceptOrReoffer === 'all' ? 'all of them' : 'one of them'
  const text =
    turn.reoffered > 0
      ? `none was accepted and not all were reoffered: challenge ${first.challenge} at ${energy(first.price)} was left.`
      : `others offer ${left.length} ${left.length === 1 ? 'challenge' : 'challenges'} ` +
        `(${first.challenge} at ${energy(first.price)} first); accept one or lower ${wanted}.`
  return breach('accept-or-reoffer', values, text)
}

/** Rule 3 and decision 4. */
function offeredTooLittle(state: State, turn: Turn): Breach | null {
  const { offersMin } = state.config
  if (turn.offered >= offersMin || !legalOfferLeft(state)) return null
  const text = `${turn.offered} new challenges were offered; at least ${offersMin} must be in each turn.`
  return breach('new-offer', { offered: turn.offered, offersMin }, text)
}
