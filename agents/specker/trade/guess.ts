import type { Json } from '../../../main/contract/json.ts'
import { randomInt, type Challenge } from '../knowledge/challenge.ts'
import { satisfiedWeight, type Formula, type Solved } from '../solvers/formula.ts'

/** Section 9's agent knows nothing but how to make random objects; these numbers say how long it keeps at it. */
export interface Patience {
  /** Pieces of random raw material that it looks at before it names a price or delivers one. */
  readonly instances: number
  /** Constraints in each. */
  readonly constraints: number
  /** Coin-flip solutions that it tries on each. */
  readonly flips: number
}

/** Random raw material of `constraints` constraints (fewer where the limits want it) on up to as many variables. */
export function randomMaterial(
  challenge: Challenge,
  items: readonly number[],
  constraints: number,
  random: () => number,
): Json {
  const { limits } = challenge
  const usable = items.filter((item) => challenge.kind(item).arity <= limits.variables)
  const least = usable.reduce((most, item) => Math.max(most, challenge.kind(item).arity), 1)
  const n = Math.max(least, Math.min(limits.variables, constraints))
  const count = usable.length === 0 ? 0 : Math.min(limits.constraints, constraints)
  const chosen = Array.from({ length: count }, () => usable[randomInt(usable.length, random)]!)
  return challenge.random(n, chosen, random)
}

/** The best of `flips` coin-flip solutions. */
export function coinFlips(formula: Formula, flips: number, random: () => number): Solved {
  let best: Solved | undefined
  for (let flip = 0; flip < Math.max(1, flips); flip++) {
    const values = Uint8Array.from({ length: formula.variables }, () => (random() < 0.5 ? 0 : 1))
    const satisfied = satisfiedWeight(formula, values)
    if (best === undefined || satisfied > best.satisfied) best = { values, satisfied }
  }
  return best!
}

/** What random trials say of a predicate: the raw material that went worst, and the qualities met, 0 to 1. */
export interface Trial {
  readonly worst: Json
  readonly lowest: number
  readonly mean: number
}

export function tryOut(
  challenge: Challenge,
  items: readonly number[],
  patience: Patience,
  random: () => number,
): Trial {
  let worst: Json = null
  let lowest = Infinity
  let sum = 0
  for (let at = 0; at < patience.instances; at++) {
    const instance = randomMaterial(challenge, items, patience.constraints, random)
    const formula = challenge.formula(instance)!
    const { satisfied } = coinFlips(formula, patience.flips, random)
    const quality = satisfied / Math.max(1, formula.totalWeight)
    sum += quality
    if (quality < lowest) {
      lowest = quality
      worst = instance
    }
  }
  return { worst, lowest, mean: sum / patience.instances }
}
