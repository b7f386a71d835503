import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Challenge, Sampled } from '../../../grammars/challenges/index.ts'
import { compare, fraction } from '../../../grammars/formulas/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { accepted, challengeOf, SHIPPED, sourceOf } from '../../unit/challenges/shipped.ts'

function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0
  }
}

function made(sampled: Sampled): Json {
  if (!sampled.ok) throw new Error(sampled.error)
  return sampled.value
}

interface Sample {
  readonly predicate: Json
  readonly instance: Json
  readonly solution: Json
}

function sampleOf({ sampler }: Challenge, config: Json, seed: number): Sample {
  const random = randomFrom(seed)
  const predicate = made(sampler.predicate(config, random))
  const instance = made(sampler.instance(config, predicate, random))
  return { predicate, instance, solution: made(sampler.solution(config, instance, random)) }
}

describe.each(SHIPPED)('%s', (name) => {
  const challenge = challengeOf(sourceOf(name))
  const config = accepted(challenge.config({})).value
  const seeds = fc.integer({ min: 0, max: 2 ** 31 })

  test('what its properties make is legal, feasible, of a quality from 0 to 1, and can be written and read', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { predicate, instance, solution } = sampleOf(challenge, config, seed)
        // In canonical form already.
        expect(accepted(challenge.predicate(config, predicate)).value).toEqual(predicate)
        expect(challenge.legal(config, predicate, instance)).toBeNull()
        expect(challenge.legalAtAll(config, instance)).toBeNull()
        expect(challenge.feasible(config, instance, solution)).toBeNull()
        const quality = challenge.quality(config, instance, solution)
        if (typeof quality === 'string') throw new Error(quality)
        expect(compare(quality, fraction(0)) >= 0 && compare(quality, fraction(1)) <= 0).toBe(true)
        for (const [type, value] of Object.entries({ Predicate: predicate, Instance: instance, Solution: solution })) {
          expect(challenge.values.parse(challenge.values.print(value, type), type)).toEqual({ ok: true, value })
        }
      }),
      { numRuns: 40 },
    )
  })

  test('equal seeds give equal samples, and different ones mostly others', () => {
    const texts = [1, 2, 3, 4, 5, 6].map((seed) => JSON.stringify(sampleOf(challenge, config, seed)))
    expect(texts).toEqual([1, 2, 3, 4, 5, 6].map((seed) => JSON.stringify(sampleOf(challenge, config, seed))))
    expect(new Set(texts).size).toBeGreaterThan(4)
  })
})

/** The least that each setting allows: the smallest games there are. */
const LOWS: Readonly<Record<string, Json>> = {
  'cubic-equations': { maxQuestions: 1, largest: 1, trials: 1 },
  'graph-colouring': { maxVertices: 2, maxEdges: 1, colours: 2 },
  'job-scheduling': { maxJobs: 1, maxMachines: 1, longest: 1, fastest: 1 },
  knapsack: { maxItems: 1, maxWeight: 1, maxWorth: 1 },
  'longest-common-subsequence': { maxLength: 1, maxLetters: 1 },
  'max-csp': { maxVars: 3, maxConstraints: 1, maxWeight: 1 },
  'max-sat': { maxVars: 1, maxClauses: 1, maxWeight: 1, maxClauseLength: 1 },
  'number-partition': { maxNumbers: 2, largest: 1 },
  'pseudo-boolean': { maxVars: 1, maxConstraints: 1, maxWeight: 1, maxTerms: 1, maxCoefficient: 1 },
  'set-cover': { maxSets: 1, maxMember: 1, maxSize: 1, maxCost: 1 },
  'travelling-salesman': { maxCities: 3, maxDistance: 1 },
  'vertex-cover': { maxVertices: 2, maxEdges: 1, colours: 1 },
}

test.each(SHIPPED)('%s can be sampled under its least settings, and under one of them', (name) => {
  const challenge = challengeOf(sourceOf(name))
  const lows = LOWS[name] as Readonly<Record<string, Json>>
  const own = accepted(challenge.config({})).value
  expect(Object.keys(lows)).toEqual(Object.keys(own as object))
  for (const settings of [lows, ...Object.entries(lows).map(([setting, low]) => ({ [setting]: low }))]) {
    const config = accepted(challenge.config(settings)).value
    for (let seed = 0; seed < 8; seed++) {
      const { predicate, instance, solution } = sampleOf(challenge, config, seed)
      expect(challenge.legal(config, predicate, instance)).toBeNull()
      expect(challenge.feasible(config, instance, solution)).toBeNull()
    }
  }
})

/** All lists that hold each of 1 to n at most once, in any order where `ordered`. */
function* choices(n: number, ordered: boolean, from = 1, taken: readonly number[] = []): Generator<number[]> {
  yield [...taken]
  for (let next = ordered ? 1 : from; next <= n; next++) {
    if (!taken.includes(next)) yield* choices(n, ordered, next + 1, [...taken, next])
  }
}

/** No solution of small raw material is better than the bound says, however it was found. */
describe('bounds hold for the best solutions there are', () => {
  test.each([
    ['vertex-cover', { maxVertices: 6 }, 'cover', (instance: Json) => lengthOf(instance, 'colours'), false],
    ['knapsack', { maxItems: 6 }, 'packed', (instance: Json) => lengthOf(instance, 'items'), false],
    ['travelling-salesman', { maxCities: 5 }, 'tour', (instance: Json) => Number(fieldOf(instance, 'cities')), true],
  ])('%s', (name, own, label, size, ordered) => {
    const challenge = challengeOf(sourceOf(name))
    const config = accepted(challenge.config(own)).value
    let tight = 0
    for (let seed = 0; seed < 25; seed++) {
      const { instance } = sampleOf(challenge, config, seed)
      let best = fraction(0)
      for (const chosen of choices(size(instance), ordered)) {
        const solution = { [label]: chosen }
        if (challenge.feasible(config, instance, solution) !== null) continue
        const quality = challenge.quality(config, instance, solution)
        if (typeof quality === 'string') throw new Error(quality)
        if (compare(quality, best) > 0) best = quality
      }
      if (compare(best, fraction(1)) === 0) tight += 1
    }
    // A bound that is never reached would tell good solutions from bad ones badly.
    expect(tight).toBeGreaterThan(0)
  })
})

/** A bisection finds roots, and its answers are right to within all distances. */
test('cubic equations can be solved: quality 1 for whoever knows how', () => {
  const challenge = challengeOf(sourceOf('cubic-equations'))
  const config = accepted(challenge.config({ trials: 8 })).value
  const excess: Readonly<Record<string, (a: number, b: number, x: number) => number>> = {
    UnknownsAndCubes: (a, b, x) => x ** 3 + a * x - b,
    SquaresAndCubes: (a, b, x) => x ** 3 + a * x ** 2 - b,
    CubesOfUnknowns: (a, b, x) => x ** 3 - a * x - b,
    CubesOfSquares: (a, b, x) => x ** 3 - a * x ** 2 - b,
  }
  for (let seed = 0; seed < 20; seed++) {
    const { instance } = sampleOf(challenge, config, seed)
    const questions = fieldOf(instance, 'questions') as readonly {
      readonly kind: { readonly $: string }
      readonly a: number
      readonly b: number
    }[]
    const answers = questions.map(({ kind, a, b }) => {
      let [low, high] = [0, 1000]
      for (let step = 0; step < 60; step++) {
        const middle = (low + high) / 2
        if (excess[kind.$]!(a, b, middle) < 0) low = middle
        else high = middle
      }
      return Number(low.toFixed(9))
    })
    expect(challenge.quality(config, instance, { answers })).toEqual(fraction(1))
    // Off by 0.05 each: right to within 1 and 0.1 only.
    const off = answers.map((answer) => Number((answer + 0.05).toFixed(9)))
    expect(challenge.quality(config, instance, { answers: off })).toEqual(fraction(2, 8))
  }
})

function fieldOf(value: Json, label: string): Json {
  return (value as Readonly<Record<string, Json>>)[label] ?? null
}
function lengthOf(value: Json, label: string): number {
  return (fieldOf(value, label) as readonly Json[]).length
}
