import { agent } from './trade/agent.ts'
import { wanderer } from './trade/wanderer.ts'

/** Walks and talks, and knows nothing: everything it does is random trial (section 9 of the specification). */
export default agent((challenge) =>
  wanderer(
    challenge,
    {
      patience: { instances: 3, constraints: 10, flips: 2 },
      items: 1,
      offers: 2,
      looks: 4,
      purchases: 1,
      belief: 'mean',
      boldness: 0,
    },
    Math.random,
  ),
)
