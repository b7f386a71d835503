import { agent } from './trade/agent.ts'
import { genericTrader } from './generic/generic-trader.ts'
import { ENERGY, type Offer } from './trade/desk.ts'
import { tryOut } from './trade/guess.ts'
import { worthOf } from './trade/worth.ts'
import { chance } from './mathematics/kinds.ts'
import { lookAhead } from './solvers/look-ahead.ts'

/** Never spends more than this share of its account on one challenge. */
const SHARE = 0.2
/** Where it has to try instead of reckon: offers that it looks at a turn. */
const LOOKS = 4

/**
 * Risks nothing it cannot reckon: a fair coin satisfies each constraint with a known chance, and its look-ahead never
 * does worse than the coin. It buys one sure thing a turn and sells at the full price, where no seller loses.
 */
export default agent(
  (challenge, stock, start) => {
    const worth = worthOf(start.config)
    const coin = ({ items }: Offer): number =>
      items === undefined ? 0 : Math.min(1, ...items.map((item) => chance(challenge.kind(item), 0.5)))
    return {
      material: (items) => tryOut(challenge, items, { instances: 4, constraints: 40, flips: 4 }, Math.random).worst,
      solve: (formula) => lookAhead(formula),
      buy(desk) {
        const sure = desk
          .others()
          .filter((offer) => desk.affords(offer, desk.account * (1 - SHARE)))
          .map((offer) => ({ offer, gain: worth.gain(offer, coin(offer) * ENERGY, false) }))
          .reduce<{ offer: Offer; gain: number } | undefined>(
            (a, b) => (a !== undefined && a.gain >= b.gain ? a : b),
            undefined,
          )
        if (sure !== undefined && sure.gain > 0) desk.accept(sure.offer)
      },
      sell(desk) {
        const items = stock.draw(1)
        if (items !== undefined) desk.offer(items, ENERGY)
      },
    }
  },
  (start) =>
    genericTrader(start, {
      patience: { instances: 4, solutions: 1 },
      ask: ENERGY,
      buy(desk, believes) {
        const sure = desk
          .others()
          .filter((offer) => desk.affords(offer, desk.account * (1 - SHARE)))
          .slice(0, LOOKS)
          .find(believes)
        if (sure !== undefined) desk.accept(sure)
      },
    }),
)
