import { randomInt, type Challenge } from '../knowledge/challenge.ts'
import { ENERGY, type Offer } from './desk.ts'
import type { Style } from './agent.ts'
import type { Stock } from './stock.ts'
import { lowerAll } from './turn.ts'
import { coinFlips, tryOut, type Patience } from './guess.ts'

/** The differences between random traders. */
export interface Temperament {
  readonly patience: Patience
  /** The maximum number of items in each of its predicates. */
  readonly items: number
  /** The maximum number of new offers per turn. */
  readonly offers: number
  /** The maximum number of others' offers that it examines per turn, and of purchases. */
  readonly looks: number
  readonly purchases: number
  /** Which quality of its trials it believes: the mean or the lowest. */
  readonly belief: 'mean' | 'lowest'
  /** Added to every price that it asks or is ready to pay, in energy: negative is cautious, positive is bold. */
  readonly boldness: number
}

/** The agent of section 9: offers, buys, delivers and solves by random trial alone, for any challenge. */
export function wanderer(challenge: Challenge, stock: Stock, temper: Temperament, random: () => number): Style {
  const { patience } = temper
  const guess = (items: readonly number[]): number => {
    const price = tryOut(challenge, items, patience, random)[temper.belief] + temper.boldness
    return Math.round(Math.min(1, Math.max(0, price)) * ENERGY)
  }
  return {
    material: (items) => tryOut(challenge, items, patience, random).worst,
    solve: (formula) => coinFlips(formula, patience.flips, random),
    buy(desk) {
      let purchases = 0
      for (const offer of shuffled(desk.others(), random).slice(0, temper.looks)) {
        if (purchases === temper.purchases) break
        if (!desk.affords(offer) || offer.items === undefined) continue
        if (offer.price > 0 && guess(offer.items) < (offer.f ?? offer.price)) continue
        desk.accept(offer)
        purchases += 1
      }
      if (desk.dutyOpen()) lowerAll(desk)
    },
    sell(desk) {
      const count = Math.min(desk.room(), Math.max(desk.owed(), 1 + randomInt(temper.offers, random)))
      for (let at = 0; at < count; at++) {
        const items = stock.draw(temper.items)
        if (items === undefined) break
        desk.offer(items, guess(items), desk.kinds[randomInt(desk.kinds.length, random)])
      }
    },
  }
}

function shuffled(offers: Offer[], random: () => number): Offer[] {
  for (let at = offers.length - 1; at > 0; at--) {
    const other = randomInt(at + 1, random)
    ;[offers[at], offers[other]] = [offers[other]!, offers[at]!]
  }
  return offers
}
