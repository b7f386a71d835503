import type { Player } from './belief.ts'
import { modeOf, stepsOf, type Ptype, type Town } from './town.ts'

/** A cop's next corner, and its way of travelling. */
export interface Order extends Player {
  readonly to: number
}

/** The factor on a corner's value for each step of its distance from the robber. */
const DECAY = 0.72

/**
 * Orders for all cops against a belief of where the robber will be, such that every likely corner has a cop near it: each cop
 * in turn takes the move that helps most beside those of the others, twice around.
 */
export function pursuit(town: Town, cops: readonly Player[], belief: Float64Array): readonly Order[] {
  const likely = likelyCorners(belief)
  const orders = cops.map((cop) => ({ ...cop, to: town.numbers.get(cop.loc)! }))
  for (let round = 0; round < 2; round++) {
    for (const [at, order] of orders.entries()) {
      const nearest = likely.map(({ corner }) =>
        Math.max(
          0,
          ...orders.map((other, index) => (index === at ? 0 : nearness(town, other.ptype, other.to, corner))),
        ),
      )
      const worth = (to: number): number =>
        likely.reduce((sum, { corner, share }, index) => {
          const own = nearness(town, order.ptype, to, corner)
          // Beside being the nearest, it helps a little to be near at all.
          return sum + share * (Math.max(own, nearest[index]!) + 0.15 * own)
        }, 0)
      const here = town.numbers.get(order.loc)!
      order.to = bestOf([here, ...town.ways[modeOf(order.ptype)][here]!], worth)
    }
  }
  return orders
}

/** How good it is that cops stand at these corners while the robber is where a belief says. */
export function worthOfPlan(
  town: Town,
  cops: readonly { readonly ptype: Ptype; readonly to: number }[],
  belief: Float64Array,
): number {
  return likelyCorners(belief).reduce(
    (sum, { corner, share }) =>
      sum + share * Math.max(0, ...cops.map(({ ptype, to }) => nearness(town, ptype, to, corner))),
    0,
  )
}

function nearness(town: Town, ptype: Ptype, from: number, to: number): number {
  return DECAY ** stepsOf(town, ptype, from, to)
}

/** Corners with nearly all of the belief. */
function likelyCorners(belief: Float64Array): readonly { readonly corner: number; readonly share: number }[] {
  const found = []
  for (let corner = 0; corner < belief.length; corner++) {
    if (belief[corner]! > 1e-4) found.push({ corner, share: belief[corner]! })
  }
  return found
}

/** The first of the best. */
export function bestOf(corners: readonly number[], worth: (corner: number) => number): number {
  let [best, most] = [corners[0]!, -Infinity]
  for (const corner of corners) {
    const here = worth(corner)
    if (here > most + 1e-12) [best, most] = [corner, here]
  }
  return best
}
