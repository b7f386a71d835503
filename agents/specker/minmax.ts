import { agent } from './trade/agent.ts'
import { ENERGY, type Desk } from './trade/desk.ts'
import { Appraiser } from './trade/appraisal.ts'
import { Valuer } from './trade/valuer.ts'
import { randomInt } from './knowledge/challenge.ts'
import { effortFor, solve, solvesExactly } from './solvers/solve.ts'

const FLIPS = 4_000
/** The number of new offers per turn. */
const OFFERS = 3
/** The number of predicates that it considers in a league where single items are not predicates. */
const IDEAS = 20

/**
 * The min-max analysis of section 4.1 and nothing else; worth.ts covers each kind of challenge. It buys whatever costs
 * less than any raw material must pay, undercuts whatever costs more than its own raw material can, and asks so little
 * above that that nobody gains by undercutting.
 */
export default agent((challenge, stock, start) => {
  const appraiser = new Appraiser(challenge)
  const exact = solvesExactly(challenge.limits, start.config.timeslot)
  const valuer = new Valuer(
    challenge,
    start,
    () => exact,
    (items) => appraiser.appraise(items),
  )
  const singles = challenge.items.filter((item) => stock.admits([item])).map((item) => [item])
  const wares: number[][] = [...singles]
  while (singles.length === 0 && wares.length < IDEAS) {
    const idea = stock.draw(1)
    if (idea === undefined) break
    wares.push(idea)
  }
  let next = randomInt(Math.max(1, wares.length), Math.random)
  return {
    material: (items, most) => appraiser.material(items, most),
    solve: (formula, due) => solve(formula, effortFor(start.config.timeslot, due, FLIPS), Math.random),
    buy: (desk) => valuer.buy(desk),
    sell(desk) {
      const count = Math.min(desk.room(), Math.max(OFFERS, desk.owed()))
      for (let made = 0, tried = 0; made < count && tried < wares.length; tried++) {
        const items = wares[next]!
        next = (next + 1) % wares.length
        const { ask } = appraiser.appraise(items)
        if (offer(desk, items, Math.min(ENERGY, ask + start.config.mindec - 1), made)) made++
      }
    },
  }
})

/**
 * `claim`: a quality that is not reachable, so low that nobody gains by undercutting; a secret breaks even only at 1.
 */
function offer(desk: Desk, items: readonly number[], claim: number, turn: number): boolean {
  const kind = desk.kinds[turn % desk.kinds.length]!
  const price = kind === 'secret' || (kind === 'belief' && desk.freeF) ? ENERGY : claim
  return desk.ceiling(items, kind) >= price && desk.offer(items, price, kind, claim)
}
