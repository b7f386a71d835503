import type { Json } from '../../../main/contract/json.ts'
import { kindsOf } from '../../../main/referees/specker/kinds.ts'
import type { Kind, Secret, StartMessage, StoreEntry, TurnMessage } from '../../../main/referees/specker/messages.ts'
import type { Challenge } from '../knowledge/challenge.ts'

/** Prices and accounts are integers of 10^-9 energy. */
export const ENERGY = 1_000_000_000

/** Predicates as lists of numbers. */
export type Wares = Pick<Challenge, 'read' | 'predicate'>

/** One step of a bundle, as the referee reads it (main/referees/specker/messages.ts). */
export type Step =
  | {
      readonly type: 'offer'
      readonly predicate: Json
      readonly price: number
      readonly kind?: Kind
      readonly f?: number
    }
  | { readonly type: 'accept'; readonly challenge: number }
  | { readonly type: 'reoffer'; readonly challenge: number; readonly price: number }
  | { readonly type: 'deliver'; readonly challenge: number; readonly instance: Json; readonly secret?: Secret }
  | { readonly type: 'solve'; readonly challenge: number; readonly solution: Json }
  | { readonly type: 'reveal'; readonly challenge: number; readonly solution: Json; readonly nonce: string }

/** Price and claim. `f` only of a belief whose claim is not its price; both in 10^-9. */
export interface Terms {
  readonly kind: Kind
  readonly price: number
  readonly f?: number
}

/** A challenge in the store. */
export interface Offer extends Terms {
  readonly challenge: number
  readonly seller: number
  /** The items of the predicate; undefined: it cannot be read. */
  readonly items: readonly number[] | undefined
}

/**
 * The market in one turn: collects a bundle and tracks, after each action, the account and the store as the rules will
 * see them (decision 6). Refunds from removed sellers are left out, so the account is never overestimated.
 */
export class Desk {
  readonly me: number
  readonly config: StartMessage['config']
  readonly view: TurnMessage
  /** The kinds that may be sold here. */
  readonly kinds: readonly [Kind, ...Kind[]]
  /** True if a belief may claim a quality other than its price. */
  readonly freeF: boolean
  readonly actions: Step[] = []
  account: number
  readonly #wares: Wares
  readonly #store = new Map<number, Offer>()
  /** The lowest price at which each predicate is on offer. */
  readonly #lowest = new Map<string, number>()
  /** Offers of this bundle get negative numbers until the rules assign theirs. */
  #nextOwn = -1
  readonly #accounts: Map<number, number>
  #offered = 0
  #accepted = 0
  #reoffered = 0

  constructor(start: StartMessage, wares: Wares, view: TurnMessage) {
    this.me = start.me
    this.config = start.config
    this.view = view
    this.account = view.account
    this.kinds = kindsOf({ variant: start.config.variant ?? 'classic' })
    this.freeF = start.config.f === 'free'
    this.#wares = wares
    this.#accounts = new Map(view.players.map((player) => [player.seat, player.account]))
    for (const entry of view.store) {
      const { challenge: number, seller, predicate } = entry
      this.#put({ challenge: number, seller, ...termsOf(entry), items: wares.read(predicate) })
    }
  }

  /** The offers of others that can be accepted or lowered, oldest first. */
  others(): Offer[] {
    return [...this.#store.values()].filter((offer) => offer.seller !== this.me)
  }

  deliver(challenge: number, instance: Json, secret?: Secret): void {
    this.actions.push({ type: 'deliver', challenge, instance, ...(secret === undefined ? {} : { secret }) })
  }

  reveal(challenge: number, solution: Json, nonce: string): void {
    this.actions.push({ type: 'reveal', challenge, solution, nonce })
  }

  /**
   * `payoff`: what the seller owes for this solution. A seller that cannot pay all of it is removed with its offers.
   */
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

  /** True if accepting leaves more than `reserve` on the account (rule 7). */
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

  /** The terms of the offer after the smallest possible lowering. A belief keeps its f, unless that is its price. */
  loweredTerms(offer: Offer): Terms {
    return { kind: offer.kind, price: this.lowered(offer), ...this.#keptF(offer) }
  }

  /** `price` at most `lowered(offer)`; offers at price 0 cannot be lowered. */
  reoffer(offer: Offer, price: number): void {
    this.actions.push({ type: 'reoffer', challenge: offer.challenge, price })
    this.#take(offer)
    this.#putOwn(offer.items, { kind: offer.kind, price, ...this.#keptF(offer) })
    this.#reoffered += 1
  }

  /** True while rule 2 still requires an acceptance or reoffers. */
  dutyOpen(): boolean {
    if (this.#asynchronous() || this.#accepted > 0) return false
    const others = this.others()
    if (this.#reoffered === 0) return others.length > 0
    return this.config.acceptOrReoffer === 'all' && others.some((offer) => offer.price > 0)
  }

  /** The highest price at which these items would be a new offer (rule 3); negative if there is none. */
  ceiling(items: readonly number[], kind = this.kinds[0]): number {
    const lowest = this.#lowest.get(keyOf(kind, items))
    return lowest === undefined ? ENERGY : lowest - 1
  }

  /** The number of further offers that this turn permits, or the store without turns. */
  room(): number {
    const { offersMax } = this.config
    if (!this.#asynchronous()) return offersMax - this.#offered
    return offersMax - [...this.#store.values()].filter((offer) => offer.seller === this.me).length
  }

  /** How many more offers this turn requires. */
  owed(): number {
    return this.#asynchronous() ? 0 : Math.max(0, this.config.offersMin - this.#offered)
  }

  /**
   * Offers the items at `price` or, if that is too high for a new offer, just below the existing one. Returns false if
   * that is impossible. `kind`: by default the market's first. `f`: of a belief; absent if it is always the price.
   */
  offer(items: readonly number[], price: number, kind = this.kinds[0], f?: number): boolean {
    const highest = Math.min(price, this.ceiling(items, kind))
    if (highest < 0 || this.room() <= 0) return false
    const terms = {
      ...(kind === this.kinds[0] ? {} : { kind }),
      ...(kind === 'belief' && this.freeF && f !== undefined ? { f } : {}),
    }
    this.actions.push({ type: 'offer', predicate: this.#wares.predicate(items), price: highest, ...terms })
    this.#putOwn(items, { kind, price: highest, ...terms })
    this.#offered += 1
    return true
  }

  /** Without turns nobody has to trade. */
  #asynchronous(): boolean {
    return this.config.mode === 'asynchronous'
  }

  #keptF({ f }: Offer): { f?: number } {
    return this.freeF && f !== undefined ? { f } : {}
  }

  #putOwn(items: readonly number[] | undefined, terms: Terms): void {
    this.#put({ challenge: this.#nextOwn, seller: this.me, ...terms, items })
    this.#nextOwn -= 1
  }

  #put(offer: Offer): void {
    this.#store.set(offer.challenge, offer)
    if (offer.items === undefined) return
    const key = keyOf(offer.kind, offer.items)
    this.#lowest.set(key, Math.min(offer.price, this.#lowest.get(key) ?? Infinity))
  }

  #take(offer: Offer): void {
    this.#store.delete(offer.challenge)
    if (offer.items === undefined) return
    const key = keyOf(offer.kind, offer.items)
    if (this.#lowest.get(key) !== offer.price) return
    this.#lowest.delete(key)
    for (const rival of this.#store.values()) {
      if (rival.items !== undefined && keyOf(rival.kind, rival.items) === key) this.#put(rival)
    }
  }
}

/** The terms of an entry of the store; without kinds all are classic. */
export function termsOf({ kind, price, f }: StoreEntry): Terms {
  return { kind: kind ?? 'classic', price, ...(f === undefined ? {} : { f }) }
}

/** The key that rule 3 compares: the same predicate sold as another kind is a different challenge. */
function keyOf(kind: Kind, items: readonly number[]): string {
  return `${kind} ${items.join()}`
}
