import type { SeatId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { Claim } from '../messages.ts'

/** A challenge for sale; `kind` and `f` as in a deal (state.ts). `key`: the same text for equal predicates. */
export type Offer = {
  readonly challenge: number
  readonly seller: SeatId
  readonly predicate: Json
  readonly price: number
  readonly kind?: Claim
  readonly f?: number
  readonly key: string
}

/** The store of section 4.1: all challenges for sale, found by number and by predicate. */
export interface Market {
  /** By number; numbers only grow, so the map is ordered from the oldest. */
  readonly offers: Map<number, Offer>
  readonly predicates: Map<string, Rivals>
}

/** All offers of one predicate. */
interface Rivals {
  readonly challenges: Set<number>
  lowest: number
}

export function createMarket(offers: readonly Offer[]): Market {
  const market: Market = { offers: new Map(), predicates: new Map() }
  for (const offer of offers) put(market, offer)
  return market
}

export function put(market: Market, offer: Offer): void {
  market.offers.set(offer.challenge, offer)
  const rivals = market.predicates.get(offer.key)
  if (rivals === undefined) {
    market.predicates.set(offer.key, { challenges: new Set([offer.challenge]), lowest: offer.price })
  } else {
    rivals.challenges.add(offer.challenge)
    rivals.lowest = Math.min(rivals.lowest, offer.price)
  }
}

/** Removes an offer from the store because it was bought, undercut or withdrawn. */
export function take(market: Market, offer: Offer): void {
  market.offers.delete(offer.challenge)
  const rivals = market.predicates.get(offer.key)!
  rivals.challenges.delete(offer.challenge)
  if (rivals.challenges.size === 0) {
    market.predicates.delete(offer.key)
  } else if (rivals.lowest === offer.price) {
    rivals.lowest = Infinity
    for (const challenge of rivals.challenges) {
      rivals.lowest = Math.min(rivals.lowest, market.offers.get(challenge)!.price)
    }
  }
}

/** The lowest price at which a predicate is for sale; null: it is not. */
export function lowestPrice(market: Market, key: string): number | null {
  return market.predicates.get(key)?.lowest ?? null
}
