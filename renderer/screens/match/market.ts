import type { SeatId } from '../../../main/contract/ids.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { View } from './specker.ts'

/** A challenge for sale, as a card shows it. */
export interface Card {
  readonly challenge: number
  readonly seller: SeatId
  /** 10^-9 energy. */
  readonly price: number
  readonly predicate: Json
  /** It was not for sale before the last event. */
  readonly fresh: boolean
}

/** The market, cheapest first; among equals the older first. `since`: challenges from this number on are fresh. */
export function cardsOf({ store }: View, since: number): readonly Card[] {
  return store
    .map(({ challenge, seller, price, predicate }) => {
      return { challenge, seller, price, predicate, fresh: challenge >= since }
    })
    .sort((a, b) => a.price - b.price || a.challenge - b.challenge)
}

/** What somebody owes: raw material for a sale, or a solution of a purchase. */
export interface Obligation {
  readonly challenge: number
  readonly owes: 'raw material' | 'a solution'
  readonly debtor: SeatId
  readonly to: SeatId
  /** What the buyer paid, 10^-9 energy. */
  readonly price: number
}

/** All open obligations, the oldest sale first. */
export function obligationsOf({ deals }: View): readonly Obligation[] {
  return deals.map(({ challenge, seller, buyer, price, delivered }) =>
    delivered
      ? { challenge, owes: 'a solution', debtor: buyer, to: seller, price }
      : { challenge, owes: 'raw material', debtor: seller, to: buyer, price },
  )
}
