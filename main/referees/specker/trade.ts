import type { SeatId } from '../../contract/ids.ts'
import { put, take, type Offer } from './market.ts'
import type { PublicEvent } from './messages.ts'
import type { Deal, State } from './state.ts'

/** Puts a challenge up for sale under the next number. */
export function list(state: State, offer: Omit<Offer, 'challenge'>): Offer {
  const { seller, predicate, price, key } = offer as Offer
  const listed: Offer = { challenge: state.nextChallenge, seller, predicate, price, key }
  state.nextChallenge += 1
  put(state.market, listed)
  state.players[seller]!.offers.add(listed.challenge)
  return listed
}

export function unlist(state: State, offer: Offer): void {
  take(state.market, offer)
  state.players[offer.seller]!.offers.delete(offer.challenge)
}

/** The sale of an offer that has just left the store: from now on raw material is owed. */
export function openDeal(state: State, offer: Offer, buyer: SeatId): void {
  const { challenge, seller, predicate, price } = offer
  state.deals.set(challenge, { challenge, seller, buyer, predicate, price, material: null })
  state.players[seller]!.sales.add(challenge)
  state.players[buyer]!.purchases.add(challenge)
}

/** The deal is finished or void: nobody owes anything for it any more. */
export function closeDeal(state: State, deal: Deal): void {
  state.deals.delete(deal.challenge)
  state.players[deal.seller]!.sales.delete(deal.challenge)
  state.players[deal.buyer]!.purchases.delete(deal.challenge)
}

/** What a player has sold and must deliver in his next turn (decision 7), in the order of the sales. */
export function dueDeliveries(state: State, seat: SeatId): Deal[] {
  return dealsOf(state, state.players[seat]!.sales).filter((deal) => deal.material === null)
}

/** What a player has been delivered and must solve in his next turn (decision 7), in the order of the purchases. */
export function dueSolutions(state: State, seat: SeatId): Deal[] {
  return dealsOf(state, state.players[seat]!.purchases).filter((deal) => deal.material !== null)
}

export function dealsOf(state: State, challenges: ReadonlySet<number>): Deal[] {
  return [...challenges].map((challenge) => state.deals.get(challenge)!)
}

type EventFields = PublicEvent extends infer Event ? (Event extends PublicEvent ? Omit<Event, 'round'> : never) : never

/** Makes something public; players are told of it with their next turn. */
export function announce(state: State, event: EventFields): void {
  state.events.push({ round: state.round, ...event } as PublicEvent)
}
