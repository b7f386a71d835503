import type { Challenge, Sampled } from '../../grammars/challenges/index.ts'
import { compare, type Fraction } from '../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../grammars/json.ts'
import { poolOf, variationOf } from '../../grammars/challenges/variations.ts'

/** The number of solutions between two reports of progress. */
const TOLD = 50

/** A sample could not be made; the message says why. */
export class NoSample extends Error {}

export interface FoundSolution {
  readonly solution: Json
  readonly quality: Fraction
}

/** How many solutions are tried: random ones, and in total. */
interface Effort {
  readonly tries: number
  readonly all: number
}

/** The progress of a search: the number of solutions tried, and the best of them. */
interface Progress {
  readonly looked: number
  readonly best: FoundSolution
}

/**
 * Searches for a good solution of a legal instance: random ones first, then variations of the best. Yields its progress from
 * time to time and returns the first solution and the best, after all have been tried or one is perfect. Equal streams give
 * equal results.
 */
export function* search(
  challenge: Challenge,
  config: Json,
  instance: Json,
  { tries, all }: Effort,
  random: () => number,
): Generator<Progress, { readonly first: FoundSolution; readonly best: FoundSolution }> {
  const { sampler, values } = challenge
  const first = rated(challenge, config, instance, valueOf(sampler.solution(config, instance, random)))
  let best = first
  const some = [first.solution]
  for (let i = 1; i < tries; i++) {
    const solution = sampler.solution(config, instance, random)
    if (!solution.ok) break
    some.push(solution.value)
    best = better(rated(challenge, config, instance, solution.value), best)
    if (i % TOLD === 0) yield { looked: i, best }
  }
  const shape = values.shape('Solution')
  if (shape.ok) {
    const pool = poolOf(some, shape.shape)
    for (let i = tries; i < all && !isPerfect(best); i++) {
      const solution = variationOf(best.solution, shape.shape, pool, random)
      if (challenge.feasible(config, instance, solution) === null) {
        best = notWorse(rated(challenge, config, instance, solution), best)
      }
      if (i % TOLD === 0) yield { looked: i, best }
    }
  }
  return { first, best }
}

/** Throws NoSample if there is none. */
export function valueOf(sampled: Sampled): Json {
  if (sampled.ok) return sampled.value
  throw new NoSample(sampled.error)
}

function rated(challenge: Challenge, config: Json, instance: Json, solution: Json): FoundSolution {
  const quality = challenge.quality(config, instance, solution)
  if (typeof quality === 'string') throw new NoSample(quality)
  return { solution, quality }
}

function better(one: FoundSolution, other: FoundSolution): FoundSolution {
  return compare(one.quality, other.quality) > 0 ? one : other
}

/** Prefers the newer of two equal solutions, so that the search moves on across plateaus. */
function notWorse(one: FoundSolution, other: FoundSolution): FoundSolution {
  return compare(one.quality, other.quality) >= 0 ? one : other
}

function isPerfect({ quality }: FoundSolution): boolean {
  return quality.n >= quality.d
}
