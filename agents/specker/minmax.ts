import { agent } from './trade/agent.ts'
import { ENERGY } from './trade/desk.ts'
import { Valuer } from './trade/valuer.ts'
import { randomInt } from './knowledge/challenge.ts'
import { solve } from './solvers/solve.ts'

const EFFORT = { exhaustive: 400_000, flips: 400 }
/** New offers a turn. */
const OFFERS = 3

/**
 * The min-max analysis of section 4.1, and nothing else. Buys whatever costs less than any raw material must pay, takes
 * over whatever is dearer than its own raw material can cost, and asks so little above that nobody gains by undercutting.
 */
export default agent((challenge, start) => {
  const valuer = new Valuer(challenge)
  let next = randomInt(challenge.items.length, Math.random)
  return {
    material: (items, most) => valuer.appraiser.material(items, most),
    solve: (formula) => solve(formula, EFFORT, Math.random),
    buy: (desk) => valuer.buy(desk),
    sell(desk) {
      const count = Math.min(desk.room(), Math.max(OFFERS, desk.owed()))
      for (let made = 0, tried = 0; made < count && tried < challenge.items.length; tried++) {
        const items = [challenge.items[next]!]
        next = (next + 1) % challenge.items.length
        const price = Math.min(ENERGY, valuer.appraiser.appraise(items).ask + start.config.mindec - 1)
        if (desk.ceiling(items) >= price && desk.offer(items, price)) made++
      }
    },
  }
})
