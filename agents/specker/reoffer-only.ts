import { agent, lowerAll } from './trade/agent.ts'
import { ENERGY } from './trade/desk.ts'
import { coinFlips, randomMaterial } from './trade/guess.ts'
import { randomInt } from './knowledge/challenge.ts'

/** Never buys what it can lower: undercuts every offer by the least decrement and asks the full price for its own. */
export default agent((challenge) => ({
  material: (items, most) => randomMaterial(challenge, items, Math.min(most, 20), Math.random),
  solve: (formula) => coinFlips(formula, 1, Math.random),
  buy: lowerAll,
  sell(desk) {
    desk.offer([challenge.items[randomInt(challenge.items.length, Math.random)]!], ENERGY)
  },
}))
