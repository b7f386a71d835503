import type { Json } from '../../../main/contract/json.ts'
import type { StartMessage, StoreEntry, TurnMessage } from '../../../main/referees/specker/messages.ts'
import type { Challenge } from '../knowledge/challenge.ts'

/** Prices and accounts are integers of this part of an energy unit. */
export const ENERGY = 1_000_000_000

/** One step of a bundle, as the referee reads it (main/referees/specker/messages.ts). */
export type Step =
  | { readonly type: 'offer'; readonly predicate: Json; readonly price: number }
  | { readonly type: 'accept'; readonly challenge: number }
  | { readonly type: 'reoffer'; readonly challenge: number; readonly price: number }
  | { readonly type: 'deliver'; readonly challenge: number; readonly instance: Json }
  | { readonly type: 'solve'; readonly challenge: number; readonly solution: Json }

/** A challenge in the store. */
export interface Offer {
  readonly challenge: number
  readonly seller: number
  readonly price: number
  /** Items of the predicate; undefined where it cannot be read. */
  readonly items: readonly number[] | undefined
}

/**
 * One turn at the market: collects a bundle and keeps, after each action, the account and the store as the rules will see
 * them (decision 6). Refunds from removed sellers are left out, so the account is never overrated.
 */
export class Desk {
  readonly me: number
  readonly config: StartMessage['config']
  readonly view: TurnMessage
  readonly actions: Step[] = []
  account: number
  readonly #challenge: Challenge
  readonly #store = new Map<number, Offer>()
  /** Lowest price for which each predicate is on offer. */
  readonly #lowest = new Map<string, number>()
  /** What this bundle puts into the store gets a negative number until the rules give it one. */
  #nextOwn = -1
  readonly #accounts: Map<number, number>
  #offered = 0
  #accepted = 0
  #reoffered = 0

  constructor(start: StartMessage, challenge: Challenge, view: TurnMessage) {
    this.me = start.me
    this.config = start.config
    this.view = view
    this.account = view.account
    this.#challenge = challenge
    this.#accounts = new Map(view.players.map((player) => [player.seat, player.account]))
    for (const { challenge: number, seller, price, predicate } of view.store) {
      this.#put({ challenge: number, seller, price, items: challenge.read(predicate) })
    }
  }

  /** Offers of the others that can be accepted or lowered, oldest first. */
  others(): Offer[] {
    return [...this.#store.values()].filter((offer) => offer.seller !== this.me)
  }

  deliver(challenge: number, instance: Json): void {
    this.actions.push({ type: 'deliver', challenge, instance })
  }

  /** `payoff`: what the seller owes for this solution. A seller who cannot pay it all is removed, and his offers go. */
  solve(entry: StoreEntry, solution: Json, payoff: number): void {
    this.actions.push({ type: 'solve', challenge: entry.challenge, solution })
    const account = this.#accounts.get(entry.seller) ?? 0
    this.account += Math.min(account, payoff)
    this.#accounts.set(entry.seller, Math.max(0, account - payoff))
    if (account > payoff) return
    for (const offer of this.others()) {
      if (offer.seller === entry.seller) this.#take(offer)
    }
  }

  /** Whether accepting leaves more than `reserve` on the account (rule 7). */
  affords(offer: Offer, reserve = 0): boolean {
    return this.account - offer.price > reserve
  }

  accept(offer: Offer): void {
    this.actions.push({ type: 'accept', challenge: offer.challenge })
    this.account -= offer.price
    this.#accounts.set(offer.seller, (this.#accounts.get(offer.seller) ?? 0) + offer.price)
    this.#take(offer)
    this.#accepted += 1
  }

  /** The highest price to which this offer may be lowered (rule 5). */
  lowered(offer: Offer): number {
    return Math.max(0, offer.price - this.config.mindec)
  }

  /** `price` at most `lowered(offer)`; offers at price 0 cannot be lowered. */
  reoffer(offer: Offer, price: number): void {
    this.actions.push({ type: 'reoffer', challenge: offer.challenge, price })
    this.#take(offer)
    this.#putOwn(offer.items, price)
    this.#reoffered += 1
  }

  /** Whether rule 2 still wants an acceptance or reoffers. */
  dutyOpen(): boolean {
    if (this.#accepted > 0) return false
    const others = this.others()
    if (this.#reoffered === 0) return others.length > 0
    return this.config.acceptOrReoffer === 'all' && others.some((offer) => offer.price > 0)
  }

  /** The highest price at which these items would be a new offer (rule 3); below 0 where there is none. */
  ceiling(items: readonly number[]): number {
    const lowest = this.#lowest.get(items.join())
    return lowest === undefined ? ENERGY : lowest - 1
  }

  /** How many more offers this turn takes. */
  room(): number {
    return this.config.offersMax - this.#offered
  }

  /** How many more offers this turn wants. */
  owed(): number {
    return Math.max(0, this.config.offersMin - this.#offered)
  }

  /** Offers the items at `price` or, if that is too much to be new, just below what is there. False where impossible. */
  offer(items: readonly number[], price: number): boolean {
    const highest = Math.min(price, this.ceiling(items))
    if (highest < 0 || this.room() <= 0) return false
    this.actions.push({ type: 'offer', predicate: this.#challenge.predicate(items), price: highest })
    this.#putOwn(items, highest)
    this.#offered += 1
    return true
  }

  #putOwn(items: readonly number[] | undefined, price: number): void {
    this.#put({ challenge: this.#nextOwn, seller: this.me, price, items })
    this.#nextOwn -= 1
  }

  #put(offer: Offer): void {
    this.#store.set(offer.challenge, offer)
    if (offer.items === undefined) return
    const key = offer.items.join()
    this.#lowest.set(key, Math.min(offer.price, this.#lowest.get(key) ?? Infinity))
  }

  #take(offer: Offer): void {
    this.#store.delete(offer.challenge)
    if (offer.items === undefined) return
    const key = offer.items.join()
    if (this.#lowest.get(key) !== offer.price) return
    this.#lowest.delete(key)
    for (const rival of this.#store.values()) if (rival.items?.join() === key) this.#put(rival)
  }
}
