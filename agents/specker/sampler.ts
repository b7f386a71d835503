import { genericTrader } from './generic/generic-trader.ts'
import { agent } from './trade/agent.ts'
import { wanderer } from './trade/wanderer.ts'

/** The baby with more patience: many trials, larger raw material, and trust only in the worst case. */
export default agent(
  (challenge, stock) =>
    wanderer(
      challenge,
      stock,
      {
        patience: { instances: 6, constraints: 20, flips: 16 },
        items: 1,
        offers: 2,
        looks: 6,
        purchases: 4,
        belief: 'lowest',
        boldness: 0,
      },
      Math.random,
    ),
  (start) => genericTrader(start, { patience: { instances: 4, solutions: 4 }, purchases: 4 }),
)
