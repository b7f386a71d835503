import { compare, fraction, toNumber, type Fraction } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Challenge } from '../knowledge/challenge.ts'
import { finiteBreakEven } from '../mathematics/break-even.ts'
import { roots } from '../mathematics/implication.ts'
import { fall, kindKey, meanAt } from '../mathematics/kinds.ts'

/** Symmetric raw material: on n variables, every placement of each part's item with its weight. */
export interface Recipe {
  readonly n: number
  /** An item with more weight than one constraint may have has several parts. */
  readonly parts: readonly { readonly item: number; readonly weight: number }[]
  /** The quality of its best solution. */
  readonly value: Fraction
}

/**
 * The number of roundings to integer weights that are tried for each number of variables, and of numbers of variables
 * for each mixture.
 */
const WEIGHT_STEPS = 100
const VARIABLE_STEPS = 3
/** No recipe that gains by more variables would fit. */
const MAX_VARIABLES = 60

/**
 * The symmetric raw material with the lowest best quality that fits the challenge's limits and has at most `most`
 * constraints: V_n itself if these permit it for n = maxVars, otherwise fewer variables, rounded weights or a single
 * item. undefined if nothing fits.
 */
export function bestRecipe(challenge: Challenge, items: readonly number[], most: number): Recipe | undefined {
  const room = Math.min(most, challenge.limits.constraints)
  const candidates = cheapest(challenge, items)
  const recipes = candidates.flatMap((item) => alone(challenge, item, room))
  const ideal = finiteBreakEven(candidates.map(challenge.kind), variablesOf(challenge))
  const support = candidates.filter((_, at) => (ideal?.mixture[at]?.n ?? 0n) > 0n)
  if (support.length > 1) recipes.push(...together(challenge, support, room))
  let best: Recipe | undefined
  for (const recipe of recipes) {
    if (best === undefined || compare(recipe.value, best.value) < 0) best = recipe
  }
  return best
}

export function constraintsOf(challenge: Challenge, { n, parts }: Recipe): number {
  return parts.reduce((sum, { item }) => sum + challenge.placements(item, n), 0)
}

/** The items that no other item implies; of those with equal prices, the one with the fewest constraints. */
function cheapest(challenge: Challenge, items: readonly number[]): number[] {
  const n = variablesOf(challenge)
  const byKind = new Map<string, number>()
  for (const item of roots(items, challenge.implies)) {
    const kind = challenge.kind(item)
    if (kind.arity > n) continue
    const key = kindKey(kind)
    const rival = byKind.get(key)
    if (rival === undefined || challenge.placements(item, n) < challenge.placements(rival, n)) byKind.set(key, item)
  }
  return [...byKind.values()]
}

function variablesOf(challenge: Challenge): number {
  return Math.min(challenge.limits.variables, MAX_VARIABLES)
}

function alone(challenge: Challenge, item: number, room: number): Recipe[] {
  const n = mostVariables(challenge, [item], room)
  return n === undefined ? [] : [weigh(challenge, [item], n)([1])]
}

/**
 * The items in the mixture that is worst for the buyer, on the maximum number of variables that fits and slightly
 * fewer.
 */
function together(challenge: Challenge, items: readonly number[], room: number): Recipe[] {
  const widest = mostVariables(challenge, items, room)
  if (widest === undefined) return []
  const recipes: Recipe[] = []
  for (let n = widest; n > widest - VARIABLE_STEPS; n--) {
    const mixture = finiteBreakEven(items.map(challenge.kind), n)?.mixture
    // Below its arity an item does not fit any more; alone() covers the others.
    if (mixture === undefined || items.some((item) => challenge.kind(item).arity > n)) break
    const each = mixture.map((share, at) => toNumber(share) / challenge.placements(items[at]!, n))
    const largest = Math.max(...each)
    const recipeOf = weigh(challenge, items, n)
    for (let step = 1; step <= WEIGHT_STEPS; step++) {
      const weights = each.map((share) => Math.round((share / largest) * step))
      const needed = items.reduce(
        (sum, item, at) => sum + challenge.placements(item, n) * Math.ceil(weights[at]! / challenge.limits.weight),
        0,
      )
      if (needed <= room) recipes.push(recipeOf(weights))
    }
  }
  return recipes
}

/** The largest number of variables for which all placements of the items fit, if there is one. */
function mostVariables(challenge: Challenge, items: readonly number[], room: number): number | undefined {
  const least = Math.max(...items.map((item) => challenge.kind(item).arity))
  const fits = (n: number): boolean => items.reduce((sum, item) => sum + challenge.placements(item, n), 0) <= room
  let n = variablesOf(challenge)
  while (n >= least && !fits(n)) n--
  return n < least ? undefined : n
}

/** Makes recipes of the items on n variables for given weights, at least one of which is positive. */
function weigh(challenge: Challenge, items: readonly number[], n: number): (weights: readonly number[]) => Recipe {
  const counts = items.map((item) => BigInt(challenge.placements(item, n)))
  const satisfied = items.map((item, at) => {
    const kind = challenge.kind(item)
    return Array.from({ length: n + 1 }, (_, k) => (counts[at]! * meanAt(kind, n, k)) / fall(n, kind.arity))
  })
  return (weights) => {
    const exact = weights.map(BigInt)
    let top = 0n
    for (let k = 0; k <= n; k++) {
      const value = satisfied.reduce((sum, line, at) => sum + exact[at]! * line[k]!, 0n)
      if (value > top) top = value
    }
    const total = counts.reduce((sum, count, at) => sum + exact[at]! * count, 0n)
    const parts = items.flatMap((item, at) => split(weights[at]!, challenge.limits.weight, item))
    return { n, parts, value: fraction(top, total) }
  }
}

function split(weight: number, heaviest: number, item: number): { item: number; weight: number }[] {
  const parts: { item: number; weight: number }[] = []
  for (let left = weight; left > 0; left -= heaviest) parts.push({ item, weight: Math.min(left, heaviest) })
  return parts
}
