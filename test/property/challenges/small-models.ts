import type { Challenge, Model } from '../../../grammars/challenges/index.ts'
import { compare, toNumber, type Fraction } from '../../../grammars/formulas/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { accepted } from '../../unit/challenges/shipped.ts'

/** Challenges with settings under which all solutions can be tried, and the languages of solvers that their models have. */
export const small: readonly (readonly [string, { readonly [setting: string]: number }, 'both' | 'minizinc'])[] = [
  ['max-csp', { maxVars: 6, maxConstraints: 10 }, 'both'],
  ['max-sat', { maxVars: 6, maxClauses: 10 }, 'both'],
  ['pseudo-boolean', { maxVars: 6, maxConstraints: 8 }, 'both'],
  ['knapsack', { maxItems: 8 }, 'both'],
  ['vertex-cover', { maxVertices: 8, maxEdges: 14 }, 'both'],
  ['travelling-salesman', { maxCities: 5 }, 'both'],
  ['graph-colouring', { maxVertices: 7, maxEdges: 14 }, 'both'],
  ['set-cover', { maxSets: 8, maxMember: 6 }, 'both'],
  ['job-scheduling', { maxJobs: 6 }, 'minizinc'],
  ['number-partition', { maxNumbers: 8 }, 'minizinc'],
]

function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0
  }
}

/** Random raw material, the same for the same seed. */
export function drawn(challenge: Challenge, settings: Json, seed: number): { config: Json; instance: Json } {
  const config = accepted(challenge.config(settings)).value
  const random = numbersFrom(seed)
  const predicate = challenge.sampler.predicate(config, random)
  if (!predicate.ok) throw new Error(predicate.error)
  const instance = challenge.sampler.instance(config, predicate.value, random)
  if (!instance.ok) throw new Error(instance.error)
  return { config, instance: instance.value }
}

/** The model of raw material, which must have one. */
export function modelled(challenge: Challenge, config: Json, instance: Json): Model {
  const result = challenge.model(config, instance)
  if (!result.ok) throw new Error(result.error)
  return result.model
}

type Ranges = readonly { readonly low: number; readonly high: number }[]

/** All combinations of values. */
export function* assignments(ranges: Ranges, done: readonly number[] = []): Generator<readonly number[]> {
  const range = ranges[done.length]
  if (range === undefined) yield done
  else for (let value = range.low; value <= range.high; value++) yield* assignments(ranges, [...done, value])
}

/** The solution that gives the variables of a model these values: fixed lists by their values, chosen numbers as a list. */
export function solutionOf(variables: Model['variables'], values: readonly number[]): Json {
  const solution: Record<string, number[] | number> = {}
  for (const [at, { label, place, role }] of variables.entries()) {
    if (place === null) solution[label] = values[at]!
    else {
      const list = (solution[label] ??= []) as number[]
      if (role === 'value') list.push(values[at]!)
      else if (values[at] === 1) list.push(place)
    }
  }
  return solution
}

/** The best measure that the challenge itself gives any solution. */
export function bestByJudge(
  challenge: Challenge,
  config: Json,
  instance: Json,
  { variables, goal }: Model,
): number | null {
  let best: Fraction | null = null
  for (const values of assignments(variables)) {
    const solution = solutionOf(variables, values)
    if (challenge.feasible(config, instance, solution) !== null) continue
    const rated = challenge.rating(config, instance, solution)
    if (typeof rated === 'string') throw new Error(rated)
    if (
      best === null ||
      (compare(rated.measure, best) > 0 ? goal === 'max' : compare(rated.measure, best) < 0 && goal === 'min')
    )
      best = rated.measure
  }
  return best && toNumber(best)
}
