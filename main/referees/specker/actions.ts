import type { SeatId } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { fraction, compare, toText } from '../../../grammars/formulas/fraction.ts'
import { pay, payoffOf } from './ledger.ts'
import { lowestPrice } from './market.ts'
import type { Action } from './messages.ts'
import { removePlayer } from './removal.ts'
import { trading, type Deal, type State } from './state.ts'
import { announce, closeDeal, list, openDeal, unlist } from './trade.ts'
import { breach, energy, sentence, type Breach } from './violations.ts'

/** What a player has done so far in the bundle that is being applied. */
export interface Turn {
  readonly seat: SeatId
  offered: number
  accepted: number
  reoffered: number
  /**
   * Challenges that ended within this bundle because another player was removed. The bundle's author could not foresee
   * that: what he does to them has no effect, is no violation, and counts as done.
   */
  readonly ended: Set<number>
}

/** Checks one action against the state that the actions before it left (decision 6) and applies it. null: done. */
export function perform(state: State, turn: Turn, action: Action): Breach | null {
  switch (action.type) {
    case 'offer':
      return offer(state, turn, action.predicate, action.price)
    case 'accept':
      return accept(state, turn, action.challenge)
    case 'reoffer':
      return reoffer(state, turn, action.challenge, action.price)
    case 'deliver':
      return deliver(state, turn, action.challenge, action.instance)
    case 'solve':
      return solve(state, turn, action.challenge, action.solution)
  }
}

/** Rule 3 and decision 4. */
function offer(state: State, turn: Turn, predicate: Json, price: number): Breach | null {
  if (!trading(state)) return afterTrading(state, 'offered')
  const { offersMax, challengeConfig } = state.config
  if (turn.offered >= offersMax) {
    return breach('offers-max', { offersMax }, `only ${offersMax} new offers are allowed in a turn.`)
  }
  const checked = state.challenge.predicate(challengeConfig, predicate)
  if (!checked.ok) return breach('illegal-predicate', { price }, `the predicate is not legal: ${checked.error}`)
  const { value, key } = checked
  const lowest = lowestPrice(state.market, key)
  if (lowest !== null && price >= lowest) {
    const text = `this predicate is already on offer at ${energy(lowest)}, and ${energy(price)} is not below that.`
    return breach('new-offer', { price, lowest }, text)
  }
  const { challenge } = list(state, { seller: turn.seat, predicate: value, price, key })
  announce(state, { type: 'offered', seat: turn.seat, challenge, price })
  turn.offered += 1
  return null
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

/** Rules 2 and 5, decisions 3 and 5: whoever lowers a price becomes the seller, under a new number. */
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

/** Rule 4, the seller's part. */
function deliver(state: State, turn: Turn, challenge: number, instance: Json): Breach | null {
  if (turn.ended.has(challenge)) return null
  const deal = state.deals.get(challenge)
  if (deal === undefined) return notDue(challenge, 'it was not bought, or is finished.')
  if (deal.seller !== turn.seat) return notYours(deal, deal.seller, 'sold')
  if (deal.material !== null) return notDue(challenge, 'its raw material has been delivered.')
  const wrong = state.challenge.legal(state.config.challengeConfig, deal.predicate, instance)
  if (wrong !== null) {
    const text = `the raw material for challenge ${challenge} does not match its predicate: ${wrong}`
    return breach('illegal-material', { challenge }, text)
  }
  state.deals.set(challenge, { ...deal, material: { instance } })
  announce(state, { type: 'delivered', seat: turn.seat, challenge })
  return null
}

/** Rule 4, the buyer's part; the seller pays the quality (section 4.1). */
function solve(state: State, turn: Turn, challenge: number, solution: Json): Breach | null {
  if (turn.ended.has(challenge)) return null
  const deal = state.deals.get(challenge)
  if (deal === undefined) return notDue(challenge, 'it was not bought, or is finished.')
  if (deal.buyer !== turn.seat) return notYours(deal, deal.buyer, 'bought')
  if (deal.material === null) return notDue(challenge, 'its raw material has not been delivered yet.')
  const { challenge: problem, config } = state
  const wrong = problem.feasible(config.challengeConfig, deal.material.instance, solution)
  if (wrong !== null) {
    const text = `the solution of challenge ${challenge} is not feasible: ${wrong}`
    return breach('infeasible-solution', { challenge }, text)
  }
  const quality = problem.quality(config.challengeConfig, deal.material.instance, solution)
  if (typeof quality === 'string') {
    voidDeal(state, deal, quality)
  } else if (compare(quality, fraction(0)) < 0 || compare(quality, fraction(1)) > 0) {
    voidDeal(state, deal, `The challenge file gives the quality ${toText(quality)}, which is not between 0 and 1.`)
  } else {
    settle(state, turn, deal, toText(quality), payoffOf(quality))
  }
  return null
}

/** Decision 9: a seller pays what he can; one who cannot pay all, or has nothing left, is removed. */
function settle(state: State, turn: Turn, deal: Deal, quality: string, owed: number): void {
  const { challenge, seller, buyer } = deal
  const account = state.players[seller]!.account
  const payoff = Math.min(owed, account)
  pay(state, seller, buyer, payoff)
  closeDeal(state, deal)
  announce(state, { type: 'solved', seat: buyer, challenge, quality, payoff })
  if (account > owed) return
  const text =
    account < owed
      ? `The payoff of ${energy(owed)} for challenge ${challenge} is more than the ${energy(account)} on the account.`
      : `The payoff of ${energy(owed)} for challenge ${challenge} leaves nothing on the account; it must stay above 0.`
  const values = { challenge, owed, paid: payoff, shortfall: owed - payoff }
  const gone = removePlayer(state, seller, { rule: 'positive-account', action: null, values, text })
  for (const ended of gone) turn.ended.add(ended)
}

/**
 * The challenge file cannot tell what a solution is worth: nobody's fault at this table. The buyer gets his price back,
 * except that the seller's account stays above 0.
 */
function voidDeal(state: State, deal: Deal, text: string): void {
  const { challenge, seller, buyer, price } = deal
  const refund = Math.min(price, state.players[seller]!.account - 1)
  pay(state, seller, buyer, refund)
  closeDeal(state, deal)
  announce(state, {
    type: 'voided',
    seat: seller,
    challenge,
    buyer,
    refund,
    shortfall: price - refund,
    text: sentence(text),
  })
}

function afterTrading(state: State, done: string): Breach {
  const { round, config } = state
  const text = `after round ${config.maxTurns} nothing can be ${done} any more.`
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

function notYours(deal: Deal, owner: SeatId, done: string): Breach {
  const text = `challenge ${deal.challenge} was ${done} by seat ${owner}, not by you.`
  return breach('not-yours', { challenge: deal.challenge, owner }, text)
}

function notDue(challenge: number, why: string): Breach {
  return breach('not-due', { challenge }, `nothing is due for challenge ${challenge}: ${why}`)
}
