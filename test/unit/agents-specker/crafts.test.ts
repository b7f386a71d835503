import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Craft } from '../../../agents/specker/crafts/craft.ts'
import { cubicEquations } from '../../../agents/specker/crafts/cubic-equations.ts'
import { knapsack } from '../../../agents/specker/crafts/knapsack.ts'
import { pseudoBoolean } from '../../../agents/specker/crafts/pseudo-boolean.ts'
import { travellingSalesman } from '../../../agents/specker/crafts/travelling-salesman.ts'
import { vertexCover } from '../../../agents/specker/crafts/vertex-cover.ts'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { toNumber, toText } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../../main/contract/json.ts'
import { generator } from './table.ts'

const EFFORT = 1_000_000

type Settings = { readonly [name: string]: number }
type Solution = { readonly [label: string]: Json }

/** One shipped challenge at one setting, with what a craft makes of it. */
function at(name: string, settings: Settings, craftOf: (config: Json) => Craft) {
  const source = readFileSync(new URL(`../../../grammars/challenges/${name}.challenge`, import.meta.url), 'utf8')
  const challenge = readChallenge(source).challenge!
  const checked = challenge.config(settings)
  if (!checked.ok) throw new Error(checked.error)
  const config = checked.value
  const craft = craftOf(config)
  const rate = (instance: Json, solution: Json): string => {
    expect(challenge.feasible(config, instance, solution)).toBeNull()
    const quality = challenge.quality(config, instance, solution)
    if (typeof quality === 'string') throw new Error(quality)
    return toText(quality)
  }
  const solved = (instance: Json): string => rate(instance, craft.solve(instance, EFFORT, generator(1)))
  return {
    solved,
    /** Random raw material, as the challenge's file makes it. */
    sample(seed: number): Json {
      const random = generator(seed)
      const words = (): number => Math.floor(random() * 2 ** 32)
      const predicate = challenge.sampler.predicate(config, words)
      if (!predicate.ok) throw new Error(predicate.error)
      const instance = challenge.sampler.instance(config, predicate.value, words)
      if (!instance.ok) throw new Error(instance.error)
      return instance.value
    },
    /** The best quality of any of these that is feasible. */
    best(instance: Json, all: Iterable<Solution>): string {
      let best = { text: 'none', value: -1 }
      for (const solution of all) {
        if (challenge.feasible(config, instance, solution) !== null) continue
        const quality = challenge.quality(config, instance, solution)
        if (typeof quality === 'string') throw new Error(quality)
        if (toNumber(quality) > best.value) best = { text: toText(quality), value: toNumber(quality) }
      }
      return best.text
    },
    /** The best quality of each piece of hard raw material, all of them legal. */
    hard(predicate: Json): string[] {
      const checkedPredicate = challenge.predicate(config, predicate)
      if (!checkedPredicate.ok) throw new Error(checkedPredicate.error)
      return craft.hard(checkedPredicate.value).map((instance) => {
        expect(challenge.legal(config, checkedPredicate.value, instance)).toBeNull()
        return solved(instance)
      })
    },
  }
}

function* subsets(count: number, label: string): Generator<Solution> {
  for (let code = 0; code < 2 ** count; code++) {
    yield { [label]: Array.from({ length: count }, (_, bit) => bit + 1).filter((number) => (code >> (number - 1)) & 1) }
  }
}

function* orders(left: readonly number[], done: readonly number[] = []): Generator<Solution> {
  if (left.length === 0) yield { tour: done }
  for (const city of left) {
    yield* orders(
      left.filter((other) => other !== city),
      [...done, city],
    )
  }
}

function countOf(instance: Json, label: string): number {
  return ((instance as { readonly [label: string]: Json })[label] as readonly Json[]).length
}

describe('small raw material is solved as well as trying everything does', () => {
  const seeds = fc.integer({ min: 0, max: 1_000_000 })
  const runs = { numRuns: 25 }

  test('knapsack', () => {
    const table = at('knapsack', { maxItems: 7, maxWeight: 9 }, knapsack)
    const check = (seed: number): void => {
      const instance = table.sample(seed)
      expect(table.solved(instance)).toBe(table.best(instance, subsets(countOf(instance, 'items'), 'packed')))
    }
    fc.assert(fc.property(seeds, check), runs)
  })

  test('vertex-cover', () => {
    const table = at('vertex-cover', { maxVertices: 8, maxEdges: 14 }, vertexCover)
    const check = (seed: number): void => {
      const instance = table.sample(seed)
      expect(table.solved(instance)).toBe(table.best(instance, subsets(countOf(instance, 'colours'), 'cover')))
    }
    fc.assert(fc.property(seeds, check), runs)
  })

  test('travelling-salesman', () => {
    const table = at('travelling-salesman', { maxCities: 6, maxDistance: 9 }, travellingSalesman)
    const check = (seed: number): void => {
      const instance = table.sample(seed)
      const { cities } = instance as { readonly cities: number }
      const others = Array.from({ length: cities - 1 }, (_, city) => city + 2)
      expect(table.solved(instance)).toBe(table.best(instance, orders(others, [1])))
    }
    fc.assert(fc.property(seeds, check), runs)
  })

  test('pseudo-boolean', () => {
    const table = at('pseudo-boolean', { maxVars: 5, maxConstraints: 12 }, pseudoBoolean)
    const check = (seed: number): void => {
      const instance = table.sample(seed)
      const count = countOf(instance, 'variables')
      const all = Array.from({ length: 2 ** count }, (_, code) => {
        return { values: Array.from({ length: count }, (_unused, bit) => (code >> bit) & 1) }
      })
      expect(table.solved(instance)).toBe(table.best(instance, all))
    }
    fc.assert(fc.property(seeds, check), runs)
  })

  test('cubic-equations: every root to within all trials', () => {
    const table = at('cubic-equations', { maxQuestions: 8, largest: 1_000_000, trials: 10 }, () => cubicEquations)
    const check = (seed: number): void => {
      expect(table.solved(table.sample(seed))).toBe('1/1')
    }
    fc.assert(fc.property(seeds, check), runs)
  })
})

test('twenty cities on a circle are visited one after the other', () => {
  const cities = 20
  const distances: number[] = []
  // In another order than the one around the circle: 7 and 20 have no divisor in common.
  const place = (city: number): number => (city * 7) % cities
  for (let a = 0; a < cities; a++) {
    for (let b = a + 1; b < cities; b++) {
      const way = Math.abs(place(a) - place(b))
      distances.push(Math.min(way, cities - way))
    }
  }
  const { solved } = at('travelling-salesman', { maxCities: cities }, travellingSalesman)
  expect(solved({ cities, distances })).toBe('1/1')
})

describe('hard raw material is legal, and as poor as was worked out', () => {
  test('knapsack: nothing fits', () => {
    const { hard } = at('knapsack', {}, knapsack)
    expect(hard({ weights: [1, 4, 9] })).toEqual(['0/1'])
    expect(hard({ weights: [1] })).toEqual([])
  })

  test('vertex-cover: a fan of triangles, and a spider where no colour is joined to itself', () => {
    const table = at('vertex-cover', {}, vertexCover)
    // Twelve vertices, bound 2: the hub, two of each of three triangles and one of a pair; the hub and five legs.
    expect(table.hard({ joins: [{ a: 1, b: 1 }] })).toEqual(['1/4', '1/3'])
    expect(table.hard({ joins: [{ a: 1, b: 3 }] })).toEqual(['1/3'])
    expect(at('vertex-cover', { maxVertices: 2, maxEdges: 1 }, vertexCover).hard({ joins: [{ a: 1, b: 2 }] })).toEqual([
      '1/1',
    ])
  })

  test('travelling-salesman: four near roads, and all others far', () => {
    const { hard } = at('travelling-salesman', {}, travellingSalesman)
    expect(hard({ distances: [1, 50, 100] })).toEqual(['2/101'])
    expect(hard({ distances: [7] })).toEqual(['1/1'])
  })

  test('pseudo-boolean: all signs of the strictest shape', () => {
    const table = at('pseudo-boolean', {}, pseudoBoolean)
    const shape = (coefficients: readonly number[], comparison: string, bound: number): Json => {
      return { coefficients, comparison: { $: comparison }, bound }
    }
    expect(table.hard({ shapes: [shape([1, 1, 1], 'AtLeast', 1), shape([1, 1, 1], 'Exactly', 1)] })).toEqual(['3/8'])
    expect(table.hard({ shapes: [shape([2, 4], 'Exactly', 3)] })).toEqual(['0/1'])
  })
})
