import { deliver, reveal, solve } from './deliveries.ts'
import { keyOf, kindsOf } from '../kinds.ts'
import { notAdmitted } from './leagues.ts'
import { pay } from './ledger.ts'
import { lowestPrice, type Offer } from './market.ts'
import { outOfStep } from '../turns/mega-moves.ts'
import type { Action } from '../messages.ts'
import { trading, type State } from '../state.ts'
import { announce, list, openDeal, termsOf, unlist } from './trade.ts'
import type { ActionOf, Turn } from './turn.ts'
import { breach, energy, type Breach } from './violations.ts'

/** Checks one action in the state after the previous actions (decision 6) and applies it. null: done. */
export function perform(state: State, turn: Turn, action: Action): Breach | null {
  const misplaced = outOfStep(state, action)
  if (misplaced !== null) return misplaced
  switch (action.type) {
    case 'offer':
      return offer(state, turn, action)
    case 'accept':
      return accept(state, turn, action.challenge)
    case 'reoffer':
      return reoffer(state, turn, action.challenge, action.price)
    case 'deliver':
      return deliver(state, turn, action)
    case 'solve':
      return solve(state, turn, action)
    case 'reveal':
      return reveal(state, turn, action)
  }
}

/** Rule 3 and decision 4. */
function offer(state: State, turn: Turn, action: ActionOf<'offer'>): Breach | null {
  if (!trading(state)) return afterTrading(state, 'offered')
  const { offersMax, challengeConfig } = state.config
  const asynchronous = state.choices.mode === 'asynchronous'
  if ((asynchronous ? state.players[turn.seat]!.offers.size : turn.offered) >= offersMax) {
    const where = asynchronous
      ? 'challenges may be for sale by one player at a time'
      : 'new offers are allowed in a turn'
    return breach('offers-max', { offersMax }, `only ${offersMax} ${where}.`)
  }
  const { price } = action
  const claim = claimed(state, action)
  if ('rule' in claim) return claim
  const checked = state.challenge.predicate(challengeConfig, action.predicate)
  if (!checked.ok) return breach('illegal-predicate', { price }, `the predicate is not legal: ${checked.error}`)
  const { value } = checked
  const excluded = notAdmitted(state, value)
  if (excluded !== null) return breach('league', { price }, `the predicate is not of this league: ${excluded}`)
  const key = keyOf(claim.kind ?? 'classic', checked.key)
  const lowest = lowestPrice(state.market, key)
  if (lowest !== null && price >= lowest) {
    const text = `this predicate is already on offer at ${energy(lowest)}, and ${energy(price)} is not below that.`
    return breach('new-offer', { price, lowest }, text)
  }
  const listed = list(state, { seller: turn.seat, predicate: value, price, key, ...claim })
  const { challenge } = listed
  announce(state, { type: 'offered', seat: turn.seat, challenge, price, ...termsOf(state, listed) })
  turn.offered += 1
  return null
}

/** The claim of an offer, with this market's defaults. */
function claimed({ choices }: State, { kind: named, f }: ActionOf<'offer'>): Pick<Offer, 'kind' | 'f'> | Breach {
  const sold = kindsOf(choices)
  const kind = named ?? sold[0]
  if (!sold.includes(kind)) {
    const text = `${kind} challenges are not sold in this market, only ${sold.join(' and ')} ones.`
    return breach('wrong-kind', { kind, sold }, text)
  }
  const free = kind === 'belief' && choices.f === 'free'
  if (f !== undefined && !free) {
    const why = kind === 'belief' ? 'f is always the price' : `${kind} challenges have no f`
    return breach('wrong-kind', { kind, f }, `the offer says f, but in this market ${why}.`)
  }
  if (kind === 'classic') return {}
  return f === undefined ? { kind } : { kind, f }
}

/** Rules 2, 6 and 7. */
function accept(state: State, turn: Turn, challenge: number): Breach | null {
  if (!trading(state)) return afterTrading(state, 'bought')
  if (turn.ended.has(challenge)) {
    turn.accepted += 1
    return null
  }
  const offer = state.market.offers.get(challenge)
  if (offer === undefined) return notOnOffer(state, challenge)
  const { seller, price } = offer
  if (seller === turn.seat) {
    return breach('own-challenge', { challenge }, `challenge ${challenge} is your own; only others can buy it.`)
  }
  const { account } = state.players[turn.seat]!
  if (account - price <= 0) {
    const text =
      `the price of ${energy(price)} for challenge ${challenge} would leave your account at ` +
      `${energy(account - price)}; it must stay above 0.`
    return breach('positive-account', { challenge, price, account }, text)
  }
  pay(state, turn.seat, seller, price)
  unlist(state, offer)
  openDeal(state, offer, turn.seat)
  announce(state, { type: 'accepted', seat: turn.seat, challenge, price })
  turn.accepted += 1
  return null
}

/** Rules 2 and 5, decisions 3 and 5: the player that lowers a price becomes the seller, under a new number. */
function reoffer(state: State, turn: Turn, challenge: number, price: number): Breach | null {
  if (!trading(state)) return afterTrading(state, 'reoffered')
  if (turn.ended.has(challenge)) {
    turn.reoffered += 1
    return null
  }
  const old = state.market.offers.get(challenge)
  if (old === undefined) return notOnOffer(state, challenge)
  if (old.seller === turn.seat) {
    return breach('own-challenge', { challenge }, `challenge ${challenge} is your own; only others can lower it.`)
  }
  const { mindec } = state.config
  const low = price < old.price && (price === 0 || old.price - price >= mindec)
  if (!low) {
    const text =
      old.price === 0
        ? `challenge ${challenge} costs nothing already and cannot be lowered; accept it instead.`
        : `challenge ${challenge} costs ${energy(old.price)} and must be lowered by at least ${energy(mindec)} ` +
          `or to 0, not to ${energy(price)}.`
    return breach('price-lowering', { challenge, price, old: old.price, mindec }, text)
  }
  unlist(state, old)
  const lowered = list(state, { ...old, seller: turn.seat, price })
  announce(state, { type: 'reoffered', seat: turn.seat, challenge: lowered.challenge, undercut: challenge, price })
  turn.reoffered += 1
  return null
}

function afterTrading(state: State, done: string): Breach {
  const { round, config, choices } = state
  const end = choices.mode === 'asynchronous' ? 'the end of trading' : `round ${config.maxTurns}`
  const text = `after ${end} nothing can be ${done} any more.`
  return breach('completion', { round, maxTurns: config.maxTurns }, text)
}

function notOnOffer(state: State, challenge: number): Breach {
  const deal = state.deals.get(challenge)
  if (deal !== undefined) {
    const text = `challenge ${challenge} was bought by seat ${deal.buyer}; it can be bought only once.`
    return breach('bought-once', { challenge, buyer: deal.buyer }, text)
  }
  const text =
    challenge < state.nextChallenge
      ? `challenge ${challenge} is not on offer any more: it was bought, undercut, or its seller was removed.`
      : `there is no challenge ${challenge}.`
  return breach('not-on-offer', { challenge }, text)
}
