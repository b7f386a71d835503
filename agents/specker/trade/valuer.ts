import type { StartMessage, TurnMessage } from '../../../main/referees/specker/messages.ts'
import { ENERGY, termsOf, type Desk, type Offer, type Wares } from './desk.ts'
import { worthOf, type Worth } from './worth.ts'

/** The value of a predicate, in 10^-9 energy. */
export interface Estimate {
  /** As far as known, every raw material of the predicate pays a good buyer at least this. */
  readonly floor: number
  /** The lowest price at which selling my own raw material cannot lose. */
  readonly ask: number
}

/** A predicate that cannot be read yields nothing to a buyer and must not be sold. */
const UNREADABLE: Estimate = { floor: 0, ask: ENERGY }

/** Trades by the values of predicates: what to buy, what to undercut, and the least loss if neither gains. */
export class Valuer {
  readonly #estimate: (items: readonly number[]) => Estimate
  readonly #worth: Worth
  readonly #wares: Wares
  readonly #liabilities = new Liabilities()
  readonly #exact: (items: readonly number[]) => boolean
  readonly #secretsAtOnce: number

  /**
   * `exact`: true if the best solution of others' raw material of a predicate is certainly found. `secretsAtOnce`: the most
   * secret challenges bought in one turn, because their solutions are due together and share the time of a turn.
   */
  constructor(
    wares: Wares,
    start: StartMessage,
    exact: (items: readonly number[]) => boolean,
    estimate: (items: readonly number[]) => Estimate,
    secretsAtOnce = Infinity,
  ) {
    this.#secretsAtOnce = secretsAtOnce
    this.#estimate = estimate
    this.#worth = worthOf(start.config)
    this.#wares = wares
    this.#exact = exact
  }

  buy(desk: Desk): void {
    this.#liabilities.update(desk.view, (entry) => this.#debt(entry))
    const reserve = this.#liabilities.total()
    const gains = desk.others().map((offer) => ({ offer, gain: this.#gain(offer) }))
    let secrets = 0
    for (const { offer } of gains.filter(({ gain }) => gain > 0).sort((a, b) => b.gain - a.gain)) {
      if (!desk.affords(offer, reserve)) continue
      if (offer.kind === 'secret' && secrets === this.#secretsAtOnce) continue
      desk.accept(offer)
      if (offer.kind === 'secret') secrets += 1
    }
    for (const offer of desk.others()) {
      if (offer.price > 0 && this.#costLowered(desk, offer) < 0) desk.reoffer(offer, desk.lowered(offer))
    }
    if (desk.dutyOpen()) this.#loseLeast(desk, reserve)
  }

  /** Rule 2 if nothing gains: one purchase above its value, or reoffers below the cost of their raw material. */
  #loseLeast(desk: Desk, reserve: number): void {
    const purchases = desk
      .others()
      .filter((offer) => desk.affords(offer, reserve))
      .map((offer) => ({ offer, loss: -this.#gain(offer) }))
      .sort((a, b) => a.loss - b.loss)
    const reoffers = desk
      .others()
      .filter((offer) => offer.price > 0)
      .map((offer) => ({ offer, loss: Math.max(0, this.#costLowered(desk, offer)) }))
      .sort((a, b) => a.loss - b.loss)
    const wanted = desk.config.acceptOrReoffer === 'all' ? reoffers : reoffers.slice(0, 1)
    const purchase = purchases[0]
    if (purchase !== undefined && purchase.loss <= wanted.reduce((sum, { loss }) => sum + loss, 0)) {
      desk.accept(purchase.offer)
    } else {
      for (const { offer } of wanted) desk.reoffer(offer, desk.lowered(offer))
    }
  }

  #gain(offer: Offer): number {
    const exact = offer.kind === 'secret' && offer.items !== undefined && this.#exact(offer.items)
    return this.#worth.gain(offer, this.#appraise(offer).floor, exact)
  }

  /** The maximum cost of undercutting an offer at the next lower price. */
  #costLowered(desk: Desk, offer: Offer): number {
    return this.#worth.cost(desk.loweredTerms(offer), this.#appraise(offer).ask)
  }

  #appraise(offer: Offer): Estimate {
    return offer.items === undefined ? UNREADABLE : this.#estimate(offer.items)
  }

  /** The maximum that the buyer of my raw material can earn with it. */
  #debt(entry: TurnMessage['toDeliver'][number]): number {
    const items = this.#wares.read(entry.predicate)
    const { ask } = items === undefined ? UNREADABLE : this.#estimate(items)
    return this.#worth.debt(termsOf(entry), ask)
  }
}

/** The maximum that a seller may still have to pay for delivered raw material. */
class Liabilities {
  readonly #open = new Map<number, number>()

  /** Drops what the events settle and adds what is to be delivered now. `worst`: the maximum payoff. */
  update(view: TurnMessage, worst: (entry: TurnMessage['toDeliver'][number]) => number): void {
    for (const event of view.events) {
      if (event.type === 'solved' || event.type === 'voided') this.#open.delete(event.challenge)
    }
    for (const entry of view.toDeliver) this.#open.set(entry.challenge, worst(entry))
  }

  /** In 10^-9 energy. */
  total(): number {
    return [...this.#open.values()].reduce((sum, amount) => sum + amount, 0)
  }
}
