import { agent } from './trade/agent.ts'
import { Appraiser } from './trade/appraisal.ts'
import { ENERGY, type Offer } from './trade/desk.ts'
import { Liabilities } from './trade/liabilities.ts'
import { randomInt } from './knowledge/challenge.ts'
import { solve } from './solvers/solve.ts'

const EFFORT = { exhaustive: 400_000, flips: 400 }
/** New offers a turn. */
const OFFERS = 3

/**
 * The min-max analysis of section 4.1, and nothing else. Buys whatever costs less than no raw material can deny it, takes
 * over whatever is dearer than its own raw material allows, and asks so little above that nobody can undercut it.
 */
export default agent((challenge, start) => {
  const appraiser = new Appraiser(challenge)
  const liabilities = new Liabilities()
  const floorOf = (offer: Offer): number => (offer.items === undefined ? 0 : appraiser.appraise(offer.items).floor)
  const askOf = (offer: Offer): number => (offer.items === undefined ? ENERGY : appraiser.appraise(offer.items).ask)
  let next = randomInt(challenge.items.length, Math.random)

  return {
    material: (items) => appraiser.material(items),
    solve: (formula) => solve(formula, EFFORT, Math.random),
    buy(desk) {
      liabilities.update(desk.view, ({ predicate }) => appraiser.appraise(challenge.read(predicate) ?? []).ask)
      const reserve = liabilities.total()
      const bargains = desk
        .others()
        .map((offer) => ({ offer, gain: floorOf(offer) - offer.price }))
        .sort((a, b) => b.gain - a.gain)
      for (const { offer, gain } of bargains) {
        if (gain > 0 && desk.affords(offer, reserve)) desk.accept(offer)
      }
      for (const offer of desk.others()) {
        if (offer.price > 0 && desk.lowered(offer) > askOf(offer)) desk.reoffer(offer, desk.lowered(offer))
      }
      if (!desk.dutyOpen()) return
      // Nothing gains: the least loss, be it one purchase or the prices that all the reoffers fall below.
      const purchase = bargains.find(({ offer }) => desk.others().includes(offer) && desk.affords(offer, reserve))
      const shortfall = desk.others().reduce((sum, offer) => sum + Math.max(0, askOf(offer) - desk.lowered(offer)), 0)
      if (purchase !== undefined && -purchase.gain <= shortfall) desk.accept(purchase.offer)
      else for (const offer of desk.others()) if (offer.price > 0) desk.reoffer(offer, desk.lowered(offer))
    },
    sell(desk) {
      const count = Math.min(desk.room(), Math.max(OFFERS, desk.owed()))
      for (let made = 0, tried = 0; made < count && tried < challenge.items.length; tried++) {
        const items = [challenge.items[next]!]
        next = (next + 1) % challenge.items.length
        const price = Math.min(ENERGY, appraiser.appraise(items).ask + start.config.mindec - 1)
        if (desk.ceiling(items) >= price && desk.offer(items, price)) made++
      }
    },
  }
})
