import { agent } from './trade/agent.ts'
import { genericTrader } from './generic/generic-trader.ts'
import { ENERGY, type Offer } from './trade/desk.ts'
import { tryOut } from './trade/guess.ts'
import { worthOf } from './trade/worth.ts'
import { chance } from './mathematics/kinds.ts'
import { lookAhead } from './solvers/look-ahead.ts'

/** Never spends more than this share of its account on one challenge. */
const SHARE = 0.2
/** The number of offers that it examines per turn when it must experiment instead of calculating. */
const LOOKS = 4

/**
 * Takes no risk that it cannot calculate: a random assignment satisfies each constraint with a known probability, and
 * its look-ahead is never worse than that. It buys one safe offer per turn and sells at the full price, at which no
 * seller loses.
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
