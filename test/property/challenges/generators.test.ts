import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compare, fraction } from '../../../grammars/formulas/index.ts'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import type { Challenge } from '../../../grammars/challenges/index.ts'
import type { Material } from '../../../grammars/challenges/generators/generator.ts'
import type { Json } from '../../../grammars/json.ts'
import { accepted, challengeOf, SHIPPED, sourceOf } from '../../unit/challenges/shipped.ts'

function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0
  }
}

type Made = Extract<Material, { ok: true }> & { readonly predicate: Json; readonly config: Json }

/** `ends`: for each parameter its low end (0), its default (1) or its high end (2). */
function madeBy(challenge: Challenge, config: Json, ends: readonly number[], seed: number): Made {
  const random = randomFrom(seed)
  const drawn = challenge.sampler.predicate(config, random)
  if (!drawn.ok) throw new Error(drawn.error)
  const generator = challenge.generator!
  const settings = generator.parameters.map(({ name, low, standard, high }, at) => {
    return [name, [low, standard, high][ends[at % ends.length]!]!] as const
  })
  const parameters = accepted(generator.settings(Object.fromEntries(settings))).value
  const made = generator.make(config, drawn.value, parameters, random)
  if (!made.ok) throw new Error(`${made.code}: ${made.error}`)
  return { ...made, predicate: drawn.value, config }
}

const ends = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 2 })
const seeds = fc.integer({ min: 0, max: 2 ** 31 })

describe.each(SHIPPED)('the generator of %s', (name) => {
  const challenge = challengeOf(sourceOf(name))
  const config = accepted(challenge.config({})).value

  test('makes legal raw material with a planted solution that has the quality stated, for all parameters', () => {
    fc.assert(
      fc.property(seeds, ends, (seed, at) => {
        const { predicate, instance, planted } = madeBy(challenge, config, at, seed)
        expect(challenge.legal(config, predicate, instance)).toBeNull()
        expect(challenge.feasible(config, instance, planted!.solution)).toBeNull()
        expect(challenge.quality(config, instance, planted!.solution)).toEqual(planted!.quality)
        expect(compare(planted!.quality, fraction(0)) >= 0 && compare(planted!.quality, fraction(1)) <= 0).toBe(true)
        for (const [type, value] of Object.entries({ Instance: instance, Solution: planted!.solution })) {
          expect(challenge.values.parse(challenge.values.print(value, type), type)).toEqual({ ok: true, value })
        }
      }),
      { numRuns: 60 },
    )
  })

  test('does so with the smallest and the largest settings', () => {
    const smallest = Object.fromEntries(
      Object.keys(config as object).map((setting) => {
        let low = (config as { readonly [key: string]: number })[setting]!
        while (low > 0 && challenge.config({ [setting]: low - 1 }).ok) low--
        return [setting, low]
      }),
    )
    for (const seed of [1, 2, 3, 4]) {
      for (const end of [0, 1, 2]) madeBy(challenge, accepted(challenge.config(smallest)).value, [end], seed)
    }
    for (const end of [0, 1, 2]) madeBy(challenge, challenge.largestConfig, [end], 9)
  })

  test('equal seeds give equal material, different ones mostly other', () => {
    const texts = [1, 2, 3, 4, 5, 6].map((seed) => JSON.stringify(madeBy(challenge, config, [1], seed).instance))
    expect([1, 2, 3, 4, 5, 6].map((seed) => JSON.stringify(madeBy(challenge, config, [1], seed).instance))).toEqual(
      texts,
    )
    expect(new Set(texts).size).toBeGreaterThan(3)
  })
})

test('no generator crashes or runs on: numbers, functions and operators of the sections that ship are exchanged at random', () => {
  const numbers = ['0', '1', '2', '7', '100', '1000', '1000000000000', '9007199254740991']
  const calls = [
    'random',
    'chance',
    'choose',
    'shuffle',
    'sample',
    'pick',
    'parts',
    'graph',
    'tree',
    'regularGraph',
    'planarGraph',
  ]
  const operators = ['+', '-', '*', '/', 'div', 'mod', '..', '<', '=', 'in', 'and']
  const kinds = [calls, operators]
  let ran = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...SHIPPED),
      fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 2 }),
      seeds,
      (name, swaps, seed) => {
        const source = sourceOf(name)
        const from = source.indexOf('\ngenerate ')
        const end = source.indexOf('\n}\n', from)
        let section = source.slice(from, end)
        for (const [where, what] of swaps) {
          const words = [
            ...section.matchAll(/\b\d+\b|\b(?:random|chance|choose|shuffle|sample|pick|min|max)\b|[-+*/<=]|\.\./g),
          ].slice(1)
          const word = words[where % words.length]!
          const kind = kinds.find((one) => one.includes(word[0])) ?? numbers
          section =
            section.slice(0, word.index) + kind[what % kind.length]! + section.slice(word.index + word[0].length)
        }
        const { challenge } = readChallenge(source.slice(0, from) + section + source.slice(end))
        if (challenge === null) return
        ran += 1
        const config = accepted(challenge.config({})).value
        const random = randomFrom(seed)
        const drawn = challenge.sampler.predicate(config, random)
        const settings = challenge.generator!.settings({})
        if (!drawn.ok || !settings.ok) throw new Error('The rest of the file is as it was.')
        const made = challenge.generator!.make(config, drawn.value, settings.value, random)
        if (made.ok) expect(challenge.legal(config, drawn.value, made.instance)).toBeNull()
        else expect(made.error).toMatch(/^The generator of the challenge /)
      },
    ),
    { numRuns: 250, seed: 1 },
  )
  expect(ran).toBeGreaterThan(20)
})
