import { agent } from './trade/agent.ts'
import { genericTrader } from './generic/generic-trader.ts'
import { ENERGY, type Desk } from './trade/desk.ts'
import { coinFlips, randomMaterial } from './trade/guess.ts'
import { tabuSearch } from './solvers/tabu.ts'

/** Buys whatever costs less than this, and asks this for its own offers. */
const CHEAP = 0.55 * ENERGY
/** Never spends its last energy. */
const RESERVE = ENERGY
const OFFERS = 2

/** Looks only at prices: buys everything cheap, lowers everything expensive, and trusts a good local search. */
export default agent(
  (challenge, stock) => ({
    material: (items, most) => randomMaterial(challenge, items, Math.min(most, 250), Math.random),
    solve: (formula) => tabuSearch(formula, coinFlips(formula, 1, Math.random).values, 20, Math.random),
    buy: grab,
    sell(desk) {
      for (let at = 0; at < Math.min(OFFERS, desk.room()); at++) {
        const items = stock.draw(2)
        if (items !== undefined) desk.offer(items, CHEAP)
      }
    },
  }),
  (start) => genericTrader(start, { patience: { instances: 1, solutions: 8 }, ask: CHEAP, buy: grab }),
)

function grab(desk: Desk): void {
  for (const offer of desk.others().sort((a, b) => a.price - b.price)) {
    if (offer.price < CHEAP && desk.affords(offer, RESERVE)) desk.accept(offer)
    else if (desk.lowered(offer) >= CHEAP) desk.reoffer(offer, desk.lowered(offer))
  }
}
