import { plantedIn, satisfiedWeight, type Formula } from '../solvers/formula.ts'
import type { Challenge } from '../knowledge/challenge.ts'

/** Above this many variables a trial would take too much of a turn. */
const MOST_VARIABLES = 60
/** The number of constraints per variable: around the hardest densities. */
const DENSITIES = [2, 4, 8]
/** The parts of the constraints that the planted solution does not satisfy: sellers hide a solution in noise. */
const NOISE = [0, 0.1]
/** The number of random constraints that are drawn for each one that is kept. */
const DRAWN = 8
/** The number of predicates that are tried in one turn. */
const TRIED_A_TURN = 8

/**
 * Tells if a solver that is not exact is reliable for secret challenges of a predicate. It is measured: raw material
 * of the largest size is made around a planted solution, as a seller would, also with noise, and the solver must find that or
 * a better one. A single secret that was missed in the match ends all confidence, because the seller then knows something that
 * these trials do not.
 */
export class PlantedTrials {
  readonly #challenge: Challenge
  readonly #solve: (formula: Formula) => { readonly satisfied: number }
  readonly #random: () => number
  readonly #known = new Map<string, boolean>()
  #missed = false
  #left = TRIED_A_TURN

  constructor(challenge: Challenge, solve: (formula: Formula) => { readonly satisfied: number }, random: () => number) {
    this.#challenge = challenge
    this.#solve = solve
    this.#random = random
  }

  nextTurn(): void {
    this.#left = TRIED_A_TURN
  }

  /** Records that a solution found in the match was worse than its seller promised. */
  missed(): void {
    this.#missed = true
  }

  relyOn(items: readonly number[]): boolean {
    const { variables } = this.#challenge.limits
    if (this.#missed || variables > MOST_VARIABLES) return false
    const key = items.join()
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.#left === 0) return false
    this.#left -= 1
    const found = NOISE.every((noise) => DENSITIES.every((density) => this.#finds(items, density * variables, noise)))
    this.#known.set(key, found)
    return found
  }

  #finds(items: readonly number[], size: number, noise: number): boolean {
    const { limits, kind, random, formula } = this.#challenge
    const usable = items.filter((item) => kind(item).arity <= limits.variables)
    if (usable.length === 0) return false
    const most = Math.min(size, limits.constraints)
    const drawn = Array.from({ length: most * DRAWN }, (_, at) => usable[at % usable.length]!)
    const all = formula(random(limits.variables, drawn, this.#random))
    if (all === undefined) return false
    const values = Uint8Array.from({ length: limits.variables }, () => (this.#random() < 0.5 ? 0 : 1))
    const unmet = Math.floor(most * noise)
    const planted = plantedIn(all, values, most - unmet, unmet)
    return this.#solve(planted).satisfied >= satisfiedWeight(planted, values)
  }
}
