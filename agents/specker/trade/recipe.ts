import { compare, fraction, toNumber, type Fraction } from '../../../grammars/formulas/fraction.ts'
import type { Challenge } from '../knowledge/challenge.ts'
import { finiteBreakEven } from '../mathematics/break-even.ts'
import { roots } from '../mathematics/implication.ts'
import { fall, kindKey, meanAt } from '../mathematics/kinds.ts'

/** Symmetric raw material: on n variables, every placement of each item with that item's weight. */
export interface Recipe {
  readonly n: number
  readonly parts: readonly { readonly item: number; readonly weight: number }[]
  /** The best quality that any solution of it has. */
  readonly value: Fraction
}

/** Steps that are tried when shares are rounded to whole weights. */
const WEIGHT_STEPS = 100

/**
 * The symmetric raw material with the lowest best quality that fits the challenge's limits: V_n itself where the limits
 * admit it for n = maxVars, otherwise fewer variables, rounded weights or a single item. undefined where nothing fits.
 */
export function bestRecipe(challenge: Challenge, items: readonly number[]): Recipe | undefined {
  const candidates = cheapest(challenge, items)
  const recipes = candidates.flatMap((item) => mixtures(challenge, [item]))
  const most = finiteBreakEven(candidates.map(challenge.kind), challenge.limits.variables)
  const support = candidates.filter((_, at) => (most?.mixture[at]?.n ?? 0n) > 0n)
  if (support.length > 1) recipes.push(...mixtures(challenge, support))
  let best: Recipe | undefined
  for (const recipe of recipes) {
    if (best === undefined || compare(recipe.value, best.value) < 0) best = recipe
  }
  return best
}

/** Items that no other item implies, and of those with equal prices the one that needs the fewest constraints. */
function cheapest(challenge: Challenge, items: readonly number[]): number[] {
  const n = challenge.limits.variables
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

/** The items together on as many variables as the limit on constraints allows, with the best whole weights. */
function mixtures(challenge: Challenge, items: readonly number[]): Recipe[] {
  const { variables, constraints, weight: heaviest } = challenge.limits
  const kinds = items.map(challenge.kind)
  const least = Math.max(...kinds.map((kind) => kind.arity))
  let n = variables
  while (n >= least && items.reduce((sum, item) => sum + challenge.placements(item, n), 0) > constraints) n--
  if (n < least) return []
  const counts = items.map((item) => BigInt(challenge.placements(item, n)))
  const satisfied = kinds.map((kind, at) =>
    Array.from({ length: n + 1 }, (_, k) => (counts[at]! * meanAt(kind, n, k)) / fall(n, kind.arity)),
  )
  const weigh = (weights: readonly number[]): Recipe => {
    let top = 0n
    for (let k = 0; k <= n; k++) {
      const value = satisfied.reduce((sum, line, at) => sum + BigInt(weights[at]!) * line[k]!, 0n)
      if (value > top) top = value
    }
    const total = counts.reduce((sum, count, at) => sum + BigInt(weights[at]!) * count, 0n)
    const parts = items.flatMap((item, at) => (weights[at]! > 0 ? [{ item, weight: weights[at]! }] : []))
    return { n, parts, value: fraction(top, total) }
  }
  if (items.length === 1) return [weigh([1])]
  const mixture = finiteBreakEven(kinds, n)!.mixture
  const each = mixture.map((share, at) => toNumber(share) / Number(counts[at]!))
  const largest = Math.max(...each)
  const recipes: Recipe[] = []
  for (let step = 1; step <= Math.min(heaviest, WEIGHT_STEPS); step++) {
    recipes.push(weigh(each.map((share) => Math.round((share / largest) * step))))
  }
  return recipes
}
