import type { TurnMessage } from '../../../main/referees/specker/messages.ts'
import type { Challenge } from '../knowledge/challenge.ts'
import { Appraiser, type Appraisal } from './appraisal.ts'
import { ENERGY, type Desk, type Offer } from './desk.ts'
import { Liabilities } from './liabilities.ts'

/** A predicate that cannot be read is worth nothing to buy and must not be sold. */
const UNREADABLE: Appraisal = { floor: 0, ask: ENERGY, recipe: undefined }

/** Trades by break-even prices: what to buy, what to take over, and the least evil where neither gains. */
export class Valuer {
  readonly appraiser: Appraiser
  readonly #challenge: Challenge
  readonly #liabilities = new Liabilities()

  constructor(challenge: Challenge) {
    this.appraiser = new Appraiser(challenge)
    this.#challenge = challenge
  }

  buy(desk: Desk): void {
    this.#liabilities.update(desk.view, (entry) => this.#debt(entry))
    const reserve = this.#liabilities.total()
    const offers = desk.others().map((offer) => ({ offer, ...this.#appraise(offer) }))
    for (const { offer } of offers
      .filter(({ offer, floor }) => floor > offer.price)
      .sort((a, b) => b.floor - b.offer.price - (a.floor - a.offer.price))) {
      if (desk.affords(offer, reserve)) desk.accept(offer)
    }
    for (const offer of desk.others()) {
      if (offer.price > 0 && desk.lowered(offer) > this.#appraise(offer).ask) desk.reoffer(offer, desk.lowered(offer))
    }
    if (desk.dutyOpen()) this.#loseLeast(desk, reserve)
  }

  /** Rule 2 where nothing gains: one purchase above its worth, or reoffers below the price of their raw material. */
  #loseLeast(desk: Desk, reserve: number): void {
    const purchases = desk
      .others()
      .filter((offer) => desk.affords(offer, reserve))
      .map((offer) => ({ offer, loss: offer.price - this.#appraise(offer).floor }))
      .sort((a, b) => a.loss - b.loss)
    const reoffers = desk
      .others()
      .filter((offer) => offer.price > 0)
      .map((offer) => ({ offer, loss: Math.max(0, this.#appraise(offer).ask - desk.lowered(offer)) }))
      .sort((a, b) => a.loss - b.loss)
    const wanted = desk.config.acceptOrReoffer === 'all' ? reoffers : reoffers.slice(0, 1)
    const purchase = purchases[0]
    if (purchase !== undefined && purchase.loss <= wanted.reduce((sum, { loss }) => sum + loss, 0)) {
      desk.accept(purchase.offer)
    } else {
      for (const { offer } of wanted) desk.reoffer(offer, desk.lowered(offer))
    }
  }

  #appraise(offer: Offer): Appraisal {
    return offer.items === undefined ? UNREADABLE : this.appraiser.appraise(offer.items)
  }

  /** The most that the buyer of my raw material can earn with it. */
  #debt(entry: TurnMessage['toDeliver'][number]): number {
    const items = this.#challenge.read(entry.predicate)
    return items === undefined ? ENERGY : this.appraiser.appraise(items).ask
  }
}
