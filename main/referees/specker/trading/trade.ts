import type { SeatId } from '../../../contract/ids.ts'
import { put, take, type Offer } from './market.ts'
import type { Kind, PublicEvent } from '../messages.ts'
import type { Deal, State } from '../state.ts'

/** Puts a challenge up for sale under the next number. */
export function list(state: State, offer: Omit<Offer, 'challenge'>): Offer {
  const listed: Offer = { ...offer, challenge: state.nextChallenge }
  state.nextChallenge += 1
  put(state.market, listed)
  state.players[listed.seller]!.offers.add(listed.challenge)
  return listed
}

export function unlist(state: State, offer: Offer): void {
  take(state.market, offer)
  state.players[offer.seller]!.offers.delete(offer.challenge)
}

/** Turns an offer that has just left the store into a deal: the seller owes raw material from now on. */
export function openDeal(state: State, offer: Offer, buyer: SeatId): void {
  const { challenge, seller, predicate, price, kind, f } = offer
  const claim = { ...(kind === undefined ? {} : { kind }), ...(f === undefined ? {} : { f }) }
  state.deals.set(challenge, { challenge, seller, buyer, predicate, price, ...claim, material: null })
  state.players[seller]!.sales.add(challenge)
  state.players[buyer]!.purchases.add(challenge)
}

/** The claim of a challenge for messages; empty in protocol 1, which has only classic challenges. */
export function termsOf({ protocol }: State, { kind, price, f }: Offer | Deal): { kind?: Kind; f?: number } {
  if (protocol === 1) return {}
  return { kind: kind ?? 'classic', ...(kind === 'belief' ? { f: f ?? price } : {}) }
}

/** Ends a deal that is finished or void: nothing is owed for it any more. */
export function closeDeal(state: State, deal: Deal): void {
  state.deals.delete(deal.challenge)
  state.players[deal.seller]!.sales.delete(deal.challenge)
  state.players[deal.buyer]!.purchases.delete(deal.challenge)
}

/** The player that must act next for a deal, and what it owes (rule 4, decision 7: in its next turn). */
export function debtOf(deal: Deal): { readonly debtor: SeatId; readonly owes: 'delivery' | 'solution' | 'reveal' } {
  if (deal.material === null) return { debtor: deal.seller, owes: 'delivery' }
  return deal.answer === undefined ? { debtor: deal.buyer, owes: 'solution' } : { debtor: deal.seller, owes: 'reveal' }
}

/** The sales for which a player must deliver, in the order of the sales. */
export function dueDeliveries(state: State, seat: SeatId): Deal[] {
  return dealsOf(state, state.players[seat]!.sales).filter((deal) => debtOf(deal).owes === 'delivery')
}

/** The purchases that a player must solve, in the order of the purchases. */
export function dueSolutions(state: State, seat: SeatId): Deal[] {
  return dealsOf(state, state.players[seat]!.purchases).filter((deal) => debtOf(deal).owes === 'solution')
}

/** The sales for which a player must reveal the secret, in the order of the sales. */
export function dueReveals(state: State, seat: SeatId): Deal[] {
  return dealsOf(state, state.players[seat]!.sales).filter((deal) => debtOf(deal).owes === 'reveal')
}

/** True if a player owes anything. */
export function owing(state: State, seat: SeatId): boolean {
  const { sales, purchases } = state.players[seat]!
  return dealsOf(state, [...sales, ...purchases]).some((deal) => debtOf(deal).debtor === seat)
}

export function dealsOf(state: State, challenges: Iterable<number>): Deal[] {
  return [...challenges].map((challenge) => state.deals.get(challenge)!)
}

type EventFields = PublicEvent extends infer Event ? (Event extends PublicEvent ? Omit<Event, 'round'> : never) : never

/** Makes an event public; players are told of it with their next turn. */
export function announce(state: State, event: EventFields): void {
  state.events.push({ round: state.round, ...event })
}
