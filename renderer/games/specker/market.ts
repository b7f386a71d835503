import type { SeatId } from '../../../main/contract/ids.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { Viewer } from '../../../main/contract/histories/viewer.ts'
import type { Digest } from './digests.ts'
import type { View } from './rules.ts'

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

/** The first number that no challenge had before an event; Infinity where it made none. */
export function newestOf(digest: Digest | null | undefined): number {
  const made = (digest?.happenings ?? []).flatMap(({ event }) =>
    event.type === 'offered' || event.type === 'reoffered' ? [event.challenge] : [],
  )
  return Math.min(Infinity, ...made)
}

/** An obligation: raw material for a sale, a solution of a purchase, or the secret of a sale that was answered. */
export interface Obligation {
  readonly challenge: number
  readonly owes: 'raw material' | 'a solution' | 'its secret'
  readonly debtor: SeatId
  readonly to: SeatId
  /** The price paid, in 10^-9 energy. */
  readonly price: number
}

/** All open obligations, the oldest sale first; of what a seat is asked with, its own. */
export function obligationsOf(view: View, viewer: Viewer): readonly Obligation[] {
  if (view.type === 'turn') return typeof viewer === 'number' ? ownObligations(view, viewer) : []
  return view.deals.map(({ challenge, seller, buyer, price, delivered, answer }) => {
    if (answer !== undefined) return { challenge, owes: 'its secret', debtor: seller, to: buyer, price }
    return delivered
      ? { challenge, owes: 'a solution', debtor: buyer, to: seller, price }
      : { challenge, owes: 'raw material', debtor: seller, to: buyer, price }
  })
}

function ownObligations(
  { toDeliver, toSolve, toReveal = [] }: Extract<View, { readonly type: 'turn' }>,
  seat: SeatId,
): readonly Obligation[] {
  const own: Obligation[] = [
    ...toDeliver.map(({ challenge, buyer, price }) => {
      return { challenge, owes: 'raw material' as const, debtor: seat, to: buyer, price }
    }),
    ...toSolve.map(({ challenge, seller, price }) => {
      return { challenge, owes: 'a solution' as const, debtor: seat, to: seller, price }
    }),
    ...toReveal.map(({ challenge, buyer, price }) => {
      return { challenge, owes: 'its secret' as const, debtor: seat, to: buyer, price }
    }),
  ]
  return own.toSorted((a, b) => a.challenge - b.challenge)
}
