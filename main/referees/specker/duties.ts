import type { Turn } from './actions.ts'
import { legalOfferLeft } from './predicates.ts'
import { trading, type Deal, type State } from './state.ts'
import { dueDeliveries, dueSolutions } from './trade.ts'
import { breach, energy, type Breach } from './violations.ts'

/** What a player has failed to do by the end of a turn, the first thing only; null: nothing (rules 2, 3 and 4). */
export function neglected(state: State, turn: Turn): Breach | null {
  const undelivered = dueDeliveries(state, turn.seat)[0]
  if (undelivered !== undefined) return missing('delivery', undelivered, 'raw material')
  const unsolved = dueSolutions(state, turn.seat)[0]
  if (unsolved !== undefined) return missing('solution', unsolved, 'a solution')
  if (!trading(state)) return null
  return refusedToTrade(state, turn) ?? offeredTooLittle(state, turn)
}

function missing(rule: 'delivery' | 'solution', { challenge }: Deal, what: string): Breach {
  return breach(rule, { challenge }, `${what} for challenge ${challenge} was due in this turn and did not come.`)
}

/**
 * Rule 2 and decision 3: buy, or lower the offers of the others. An offer at 0 cannot be lowered: it is left out of
 * "all"; where there is nothing else, it has to be accepted.
 */
function refusedToTrade(state: State, turn: Turn): Breach | null {
  if (turn.accepted > 0) return null
  const { acceptOrReoffer } = state.config
  if (turn.reoffered > 0 && acceptOrReoffer === 'one') return null
  const others = [...state.market.offers.values()].filter((offer) => offer.seller !== turn.seat)
  const left = turn.reoffered > 0 ? others.filter((offer) => offer.price > 0) : others
  const first = left[0]
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
