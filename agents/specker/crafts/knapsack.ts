import type { Json } from '../../../main/contract/json.ts'
import { least, type Craft } from './craft.ts'

interface Sack {
  readonly capacity: number
  readonly items: readonly { readonly weight: number; readonly worth: number }[]
}

/** The number of items up to which the best pack is found, whatever they are. */
const CERTAIN_ITEMS = 24
const VISITS_A_STEP = 0.1

/**
 * Finds the best pack by branch and bound: items are ordered by worth per weight, and branches that could not win even
 * if the last item could be cut are skipped. Its hard raw material is a sack too small for any item: nothing can be
 * packed, while the bound, which cuts items, is above 0. That needs a predicate with a weight above 1; with weight 1
 * alone every sack can be filled.
 */
export function knapsack(config: Json): Craft {
  const { maxItems } = config as { readonly maxItems: number }
  return {
    exact: maxItems <= CERTAIN_ITEMS,
    solve: (instance, effort) => ({ packed: bestPack(instance as unknown as Sack, effort * VISITS_A_STEP) }),
    hard(predicate) {
      const heavy = (predicate as { readonly weights: readonly number[] }).weights.filter((weight) => weight > 1)
      if (heavy.length === 0) return []
      const weight = least(heavy)
      return [{ capacity: weight - 1, items: [{ weight, worth: 1 }] }]
    },
  }
}

function bestPack({ capacity, items }: Sack, visits: number): number[] {
  const order = items
    .map(({ weight, worth }, at) => ({ weight, worth, number: at + 1 }))
    .sort((a, b) => b.worth * a.weight - a.worth * b.weight)
  /** An upper bound for the items from `from` on: the last one may be cut. */
  const promise = (from: number, left: number): number => {
    let sum = 0
    for (let at = from; at < order.length; at++) {
      const { weight, worth } = order[at]!
      if (weight > left) return sum + (worth * left) / weight
      sum += worth
      left -= weight
    }
    return sum
  }
  const packed: number[] = []
  let best: number[] = []
  let top = 0
  let visited = 0
  const visit = (at: number, left: number, worth: number): void => {
    visited += 1
    if (worth > top) {
      top = worth
      best = [...packed]
    }
    if (at === order.length || visited > visits || worth + promise(at, left) <= top) return
    const item = order[at]!
    if (item.weight <= left) {
      packed.push(item.number)
      visit(at + 1, left - item.weight, worth + item.worth)
      packed.pop()
    }
    visit(at + 1, left, worth)
  }
  visit(0, capacity, 0)
  return best
}
