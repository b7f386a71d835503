import { genericTrader } from './generic/generic-trader.ts'
import { agent } from './trade/agent.ts'
import { wanderer } from './trade/wanderer.ts'

/** A risk-taking baby: examines once, overrates what it finds, and buys and offers much. */
export default agent(
  (challenge, stock) =>
    wanderer(
      challenge,
      stock,
      {
        patience: { instances: 1, constraints: 6, flips: 1 },
        items: 3,
        offers: 4,
        looks: 6,
        purchases: 2,
        belief: 'mean',
        boldness: 0.25,
      },
      Math.random,
    ),
  (start) => genericTrader(start, { patience: { instances: 1, solutions: 1 }, purchases: 2, boldness: 0.25 }),
)
