import type { Json } from '../../../main/contract/json.ts'
import { ENERGY } from './desk.ts'
import type { Challenge } from '../knowledge/challenge.ts'
import { finiteBreakEven, limitBreakEven } from '../mathematics/break-even.ts'
import { roots } from '../mathematics/implication.ts'
import { randomMaterial } from './guess.ts'
import { bestRecipe, constraintsOf, type Recipe } from './recipe.ts'
import type { Estimate } from './valuer.ts'
import { inEnergy } from './worth.ts'

interface Appraisal extends Estimate {
  /** My own raw material; undefined: none fits the limits. */
  readonly recipe: Recipe | undefined
}

/** Above this number of variables the limit V is used for V_n; it is lower by less than a few thousandths. */
const MAX_EXACT_VARIABLES = 60

/** Enough for relation 22 on 20 variables (1,140); more would make messages large and prices hardly better. */
const MAX_CONSTRAINTS = 1_200

/** Break-even prices by predicate, each computed once per match. */
export class Appraiser {
  readonly #challenge: Challenge
  readonly #known = new Map<string, Appraisal>()
  readonly #instances = new Map<Recipe, Json>()

  constructor(challenge: Challenge) {
    this.#challenge = challenge
  }

  appraise(items: readonly number[]): Appraisal {
    const key = items.join()
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const recipe = bestRecipe(this.#challenge, items, MAX_CONSTRAINTS)
    const appraisal = {
      floor: Math.max(0, this.#floor(items)),
      ask: recipe === undefined ? ENERGY : inEnergy(recipe.value),
      recipe,
    }
    this.#known.set(key, appraisal)
    return appraisal
  }

  /** Raw material of at most `most` constraints: by recipe, or one constraint if not even the smallest recipe fits. */
  material(items: readonly number[], most: number): Json {
    const known = this.appraise(items).recipe
    const fits = known === undefined || constraintsOf(this.#challenge, known) <= most
    const recipe = fits ? known : bestRecipe(this.#challenge, items, most)
    if (recipe === undefined) return randomMaterial(this.#challenge, items, 1, Math.random)
    const made = this.#instances.get(recipe)
    if (made !== undefined) return made
    const instance = this.#challenge.symmetric(recipe.n, recipe.parts)
    this.#instances.set(recipe, instance)
    return instance
  }

  #floor(items: readonly number[]): number {
    const kinds = roots(items, this.#challenge.implies).map(this.#challenge.kind)
    const n = this.#challenge.limits.variables
    if (n > MAX_EXACT_VARIABLES) return Math.floor((limitBreakEven(kinds)?.value ?? 0) * ENERGY) - 1
    const exact = finiteBreakEven(kinds, n)
    return exact === undefined ? 0 : inEnergy(exact.value)
  }
}
