import type { Json } from '../../../main/contract/json.ts'
import { randomInt, type Challenge } from '../knowledge/challenge.ts'
import { satisfiedWeight, type Formula, type Solved } from '../solvers/formula.ts'

/** Section 9's agent can only make random objects; these numbers limit how long it tries. */
export interface Patience {
  /** The number of pieces of random raw material that it examines before it states a price or delivers one. */
  readonly instances: number
  /** The number of constraints in each. */
  readonly constraints: number
  /** The number of random solutions that it tries on each. */
  readonly flips: number
}

/** Random raw material of `constraints` constraints (fewer if the limits require it) on at most as many variables. */
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

/** The best of `flips` random solutions. */
export function coinFlips(formula: Formula, flips: number, random: () => number): Solved {
  let best: Solved | undefined
  for (let flip = 0; flip < Math.max(1, flips); flip++) {
    const values = Uint8Array.from({ length: formula.variables }, () => (random() < 0.5 ? 0 : 1))
    const satisfied = satisfiedWeight(formula, values)
    if (best === undefined || satisfied > best.satisfied) best = { values, satisfied }
  }
  return best!
}

/** The result of random trials with a predicate: the raw material with the worst quality, and the qualities, 0 to 1. */
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
