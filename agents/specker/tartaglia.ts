import { measuringTrader } from './generic/measuring-trader.ts'
import { chance } from './mathematics/kinds.ts'
import type { Formula, Solved } from './solvers/formula.ts'
import { effortFor, solve, solvesExactly } from './solvers/solve.ts'
import { agent } from './trade/agent.ts'
import { Appraiser } from './trade/appraisal.ts'
import { ENERGY, type Desk } from './trade/desk.ts'
import { PlantedTrials } from './trade/planted-trials.ts'
import { Valuer } from './trade/valuer.ts'

const FLIPS = 10_000
/** A trial gets the effort of a solution when this many are due, so no more secrets are bought in one turn. */
const TRIAL_DUE = 4
/** The number of new offers per turn. */
const OFFERS = 10
/** The number of predicates of one or two items that it studies per turn, before it chooses among all studied ones. */
const STUDIED = 12
/** Up to this number, all predicates of one item can be on offer at once. */
const FEW = 20
/** A predicate to offer. Amounts in 10^-9 energy. */
interface Ware {
  readonly items: readonly number[]
  readonly ask: number
  /** The earnings of a buyer with my raw material that only tries random values. */
  readonly coin: number
}

/**
 * With an analysis of the challenge it buys like minmax and sells better; otherwise it measures
 * (generic/measuring-trader.ts). It offers predicates, including sets of two items, with which players that try random
 * values lose most, and enough of them to make rule 2 expensive for others: a premium of mindec * c / (c + 1) on
 * each of c offers makes buying one as expensive as lowering all. If the price cannot exceed the value it offers
 * nothing: a good solver could buy that without loss and would be free of rule 2. A belief that just fails costs its
 * buyer the whole price, so it needs no premium: lowering each of c costs mindec. It sells secrets only where nothing
 * else is sold, because good solvers get them for free; and it chooses predicates that not all raw material can
 * satisfy, so that weaker solvers cannot buy any without a loss and lower them instead. It treats all players alike, so
 * it may play under every security policy (section 4.4).
 */
export default agent(
  (challenge, stock, start) => {
    const { mindec } = start.config
    const appraiser = new Appraiser(challenge)
    /** True if good solvers find the best solution of all raw material. */
    const solved = solvesExactly(challenge.limits, start.config.timeslot)
    const search = (formula: Formula, due: number): Solved =>
      solve(formula, effortFor(start.config.timeslot, due, FLIPS), Math.random)
    const trials = new PlantedTrials(challenge, (formula) => search(formula, TRIAL_DUE), Math.random)
    const exact = (items: readonly number[]): boolean => solved || trials.relyOn(items)
    const valuer = new Valuer(
      challenge,
      start,
      exact,
      (items) => appraiser.appraise(items),
      solved ? Infinity : TRIAL_DUE,
    )
    const singles = challenge.items.map((item) => [item]).filter((items) => stock.admits(items))
    const wares = new Map<string, Ware>()

    const study = (items: readonly number[]): void => {
      const key = items.join()
      if (wares.has(key)) return
      const { ask, recipe } = appraiser.appraise(items)
      if (recipe === undefined) return
      let weight = 0
      let tossed = 0
      for (const part of recipe.parts) {
        const share = part.weight * challenge.placements(part.item, recipe.n)
        weight += share
        tossed += share * chance(challenge.kind(part.item), 0.5)
      }
      wares.set(key, { items, ask, coin: (tossed / weight) * ENERGY })
    }

    /**
     * A secret breaks even at 1, and only rule 3 makes anybody go below that: when all predicates of one item are on
     * offer, others have to undercut one of them. A slightly cheaper offer is added so that they do not buy one of
     * these first, which would make room; good solvers buy that one and gain a part of 10^-9 that is rounded down to
     * nothing.
     */
    const offerAllSingles = (desk: Desk): void => {
      const bait = [...wares.values()].find(
        ({ items, ask }) => ask < ENERGY && desk.ceiling(items, 'secret') === ENERGY,
      )
      if (bait !== undefined) desk.offer(bait.items, ENERGY - 1, 'secret')
      for (const items of singles) if (desk.ceiling(items, 'secret') === ENERGY) desk.offer(items, ENERGY, 'secret')
    }

    return {
      material: (items, most) => appraiser.material(items, most),
      solve: search,
      missed: () => trials.missed(),
      buy(desk) {
        trials.nextTurn()
        valuer.buy(desk)
      },
      sell(desk) {
        for (let at = 0; at < STUDIED; at++) {
          const items = stock.draw(2)
          if (items !== undefined) study(items)
        }
        const count = Math.min(desk.room(), Math.max(OFFERS, desk.owed()))
        const [kind] = desk.kinds
        if (kind === 'secret' && singles.length <= FEW && solved) offerAllSingles(desk)
        const premium = kind === 'belief' ? 1 : Math.floor((mindec * count) / (count + 1))
        const ranked = [...wares.values()]
          .filter(({ ask }) => (kind === 'secret' ? ask < ENERGY : ask + premium <= ENERGY))
          .map((ware) => {
            const claim = ware.ask + premium
            const price = kind === 'secret' || (kind === 'belief' && desk.freeF) ? ENERGY : claim
            const loss = kind === 'classic' ? price - ware.coin : price
            return { ware, price, claim: Math.min(ENERGY, claim), rank: loss * (0.7 + 0.3 * Math.random()) }
          })
          .sort((a, b) => b.rank - a.rank)
        let made = 0
        for (const { ware, price, claim } of ranked) {
          if (made === count) break
          if (desk.ceiling(ware.items, kind) >= price && desk.offer(ware.items, price, kind, claim)) made++
        }
      },
    }
  },
  (start) => measuringTrader(start, Math.random),
)
