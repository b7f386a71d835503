import { agent } from './trade/agent.ts'
import { genericTrader } from './generic/generic-trader.ts'
import { lowerAll } from './trade/turn.ts'
import { ENERGY } from './trade/desk.ts'
import { coinFlips, randomMaterial } from './trade/guess.ts'

/** Never buys what it can lower: undercuts every offer by the minimum decrement and asks the full price for its own. */
export default agent(
  (challenge, stock) => ({
    material: (items, most) => randomMaterial(challenge, items, Math.min(most, 20), Math.random),
    solve: (formula) => coinFlips(formula, 1, Math.random),
    buy: lowerAll,
    sell(desk) {
      const items = stock.draw(1)
      if (items !== undefined) desk.offer(items, ENERGY)
    },
  }),
  (start) => genericTrader(start, { patience: { instances: 1, solutions: 1 }, ask: ENERGY, buy: lowerAll }),
)
