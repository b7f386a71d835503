import { agent } from './trade/agent.ts'
import { ENERGY } from './trade/desk.ts'
import { Valuer } from './trade/valuer.ts'
import { randomInt } from './knowledge/challenge.ts'
import { chance } from './mathematics/kinds.ts'
import { solve } from './solvers/solve.ts'

const EFFORT = { exhaustive: 400_000, flips: 1_000 }
/** New offers a turn. */
const OFFERS = 10
/** Predicates of one or two items that it studies a turn, before it chooses among all it has studied. */
const STUDIED = 12
/** What a profit from weak buyers counts where the price cannot be above the worth, so that strong ones buy for nothing. */
const HARMLESS = 0.3

/** A predicate to offer. Amounts in 10^-9 energy. */
interface Ware {
  readonly items: readonly number[]
  readonly ask: number
  /** What a buyer earns with my raw material who only tosses coins. */
  readonly coin: number
}

/**
 * Buys like minmax and sells better. It offers what coin tossers lose most by, sets of two items among it, and so many
 * wares that rule 2 costs the others: a premium of mindec * c / (c + 1) on each of c offers makes it as dear to buy the
 * one as to lower all. It treats all players alike, so it may play under every security policy (section 4.4).
 */
export default agent((challenge, start) => {
  const valuer = new Valuer(challenge)
  const wares = new Map<string, Ware>()

  const study = (items: readonly number[]): void => {
    const key = items.join()
    if (wares.has(key)) return
    const { ask, recipe } = valuer.appraiser.appraise(items)
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
  const anyItem = (): number => challenge.items[randomInt(challenge.items.length, Math.random)]!

  return {
    material: (items, most) => valuer.appraiser.material(items, most),
    solve: (formula) => solve(formula, EFFORT, Math.random),
    buy: (desk) => valuer.buy(desk),
    sell(desk) {
      for (let at = 0; at < STUDIED; at++) {
        const items = Math.random() < 0.5 ? [anyItem(), anyItem()] : [anyItem()]
        study([...new Set(items)].sort((a, b) => a - b))
      }
      const count = Math.min(desk.room(), Math.max(OFFERS, desk.owed()))
      const premium = Math.floor((start.config.mindec * count) / (count + 1))
      const ranked = [...wares.values()]
        .map((ware) => {
          const price = Math.min(ENERGY, ware.ask + premium)
          const profit = (price - ware.coin) * (price < ware.ask + premium ? HARMLESS : 1)
          return { ware, price, rank: profit * (0.7 + 0.3 * Math.random()) }
        })
        .sort((a, b) => b.rank - a.rank)
      let made = 0
      for (const { ware, price } of ranked) {
        if (made === count) break
        if (desk.ceiling(ware.items) >= price && desk.offer(ware.items, price)) made++
      }
    },
  }
})
