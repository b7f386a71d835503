import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readChallenge, type Sampled } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { accepted, challengeOf, SHIPPED, sourceOf } from '../../unit/challenges/shipped.ts'
import { anyText } from '../../any-text.ts'

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 1, 3, 22, 2 ** 53, -(2 ** 31), 1e308, -0))
const list = fc.array(fc.oneof(number, json), { maxLength: 5 })

const nearly: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  'max-csp': fc.oneof(
    json,
    fc.record({ relations: list }, { requiredKeys: [] }),
    fc.record({
      variables: fc.oneof(fc.constant(5), number),
      constraints: fc.array(fc.record({ weight: number, relation: number, variables: list }), { maxLength: 3 }),
    }),
    fc.record({ values: list }),
  ),
  'max-sat': fc.oneof(
    json,
    fc.record({ types: fc.array(fc.record({ length: number, positives: number })) }),
    fc.record({
      variables: fc.oneof(fc.constant(5), number),
      clauses: fc.array(fc.record({ weight: number, literals: list }), { maxLength: 3 }),
    }),
    fc.record({ values: list }),
  ),
}

describe.each(['max-csp', 'max-sat'])('%s', (name) => {
  const challenge = challengeOf(sourceOf(name))
  const config = accepted(challenge.config({})).value
  const values = nearly[name] ?? json
  const predicate = { relations: [22], types: [{ length: 1, positives: 1 }] }
  const good = name === 'max-csp' ? { relations: predicate.relations } : { types: predicate.types }

  test('hostile JSON is refused in a sentence or is fine, and never throws', () => {
    const form = accepted(challenge.predicate(config, good)).value
    fc.assert(
      fc.property(values, values, (value, other) => {
        const checked = challenge.predicate(config, value)
        expect(checked.ok ? checked.key : checked.error).toEqual(expect.any(String))
        const settings = challenge.config(value)
        if (!settings.ok) expect(settings.error).toMatch(/\.$/)
        const refusal = challenge.legal(config, form, value)
        if (refusal !== null) {
          expect(refusal.length).toBeLessThan(1000)
          return
        }
        if (challenge.feasible(config, value, other) === null) {
          expect(typeof challenge.quality(config, value, other)).toBe('object')
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('nor do values nested without end or lists without measure', () => {
    let deep: Json = []
    for (let i = 0; i < 50_000; i++) deep = [deep]
    const long = Array.from({ length: 100_000 }, (_, i) => i % 256)
    const hostile = [deep, { relations: deep }, { values: deep }, { relations: long }, { values: long }]
    for (const value of [
      ...hostile,
      { variables: 5, constraints: deep },
      { variables: 5, clauses: [{ weight: 1, literals: long }] },
    ]) {
      const checked = challenge.predicate(config, value)
      if (!checked.ok) expect(checked.error).toEqual(expect.any(String))
      expect(challenge.legal(config, accepted(challenge.predicate(config, good)).value, value)).toEqual(
        expect.any(String),
      )
    }
  })
})

describe.each(SHIPPED)('%s and what is nearly right', (name) => {
  const challenge = challengeOf(sourceOf(name))
  const config = accepted(challenge.config({})).value
  let state = 1
  const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0)
  const sampled = (of: 'predicate' | 'instance' | 'solution', made: Sampled): Json => {
    if (!made.ok) throw new Error(`${of}: ${made.error}`)
    return made.value
  }
  const predicate = sampled('predicate', challenge.sampler.predicate(config, random))
  const instance = sampled('instance', challenge.sampler.instance(config, predicate, random))
  const solution = sampled('solution', challenge.sampler.solution(config, instance, random))

  test('a value with a piece exchanged is refused in a sentence or is fine, and nothing throws', () => {
    const piece = fc.oneof(number, json, fc.constantFrom<Json>('$', { $: 'Nothing' }, { $: '__proto__' }, []))
    fc.assert(
      fc.property(fc.nat(), piece, (where, odd) => {
        const checked = challenge.predicate(config, exchanged(predicate, where, odd))
        expect(checked.ok ? checked.key : checked.error).toEqual(expect.any(String))
        const wrong = exchanged(instance, where, odd)
        const refusal = challenge.legal(config, predicate, wrong)
        if (refusal === null) {
          const quality = challenge.feasible(config, wrong, solution) ?? challenge.quality(config, wrong, solution)
          expect(typeof quality === 'string' ? quality.length : typeof quality.n).not.toBe(0)
        } else expect(refusal).toMatch(/[.)]$/)
        const answer = exchanged(solution, where, odd)
        if (challenge.feasible(config, instance, answer) === null) {
          expect(challenge.quality(config, instance, answer)).toBeTypeOf('object')
        }
      }),
      { numRuns: 200 },
    )
  })
})

/** The value with the piece that is found after `where` steps, round and round, put in the place of another. */
function exchanged(value: Json, where: number, odd: Json): Json {
  const places: (readonly (string | number)[])[] = []
  const walk = (at: Json, path: readonly (string | number)[]): void => {
    places.push(path)
    if (Array.isArray(at)) at.forEach((one: Json, i) => walk(one, [...path, i]))
    else if (typeof at === 'object' && at !== null) {
      for (const [label, one] of Object.entries(at)) walk(one, [...path, label])
    }
  }
  walk(value, [])
  const path = places[where % places.length] ?? []
  const put = (at: Json, [step, ...rest]: readonly (string | number)[]): Json => {
    if (step === undefined) return odd
    if (Array.isArray(at)) return (at as readonly Json[]).map((one, i) => (i === step ? put(one, rest) : one))
    const fields = at as Readonly<Record<string, Json>>
    return { ...fields, [step]: put(fields[step] as Json, rest) }
  }
  return put(value, path)
}

describe('any text gives a challenge or problems, never an exception', () => {
  const sources = ['max-csp', 'max-sat'].map(sourceOf)
  function read(text: string): void {
    const { challenge, problems } = readChallenge(text)
    expect(challenge === null).toBe(problems.length > 0)
    for (const { at, message } of problems) {
      expect(at.offset).toBeGreaterThanOrEqual(0)
      expect(at.offset).toBeLessThanOrEqual(text.length)
      expect(message.length).toBeGreaterThan(5)
    }
  }

  test('texts of all kinds', () => {
    fc.assert(fc.property(anyText({ maxLength: 200 }), read), { numRuns: 500 })
  })

  test('true challenges with a part cut out, doubled or replaced', () => {
    const source = fc.constantFrom(...sources)
    const noise = fc.constantFrom(
      '',
      '{{',
      '}}',
      '{',
      '}',
      '(',
      ')',
      '"',
      '.',
      '..',
      '=',
      ' 1 ',
      ' for ',
      ' in ',
      '/*',
      '#',
      '\0',
    )
    fc.assert(
      fc.property(source, fc.nat(), fc.nat(60), noise, fc.boolean(), (text, where, length, piece, twice) => {
        const from = where % text.length
        const cut = text.slice(from, from + length)
        read(text.slice(0, from) + (twice ? cut + cut : piece) + text.slice(from + length))
      }),
      { numRuns: 400 },
    )
  })

  test('lines of both shuffled together', () => {
    const lines = sources.flatMap((source) => source.split('\n'))
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 40 }), (chosen) => {
        read(`challenge x "y"\n${chosen.join('\n')}`)
      }),
      { numRuns: 300 },
    )
  })

  test.each([
    '(',
    '[',
    '{',
    '{{',
    '-',
    'not ',
    'a.',
    'if ',
    'let a = ',
    '"',
    '/*',
    'f(',
    '1+',
    'x in ',
    'list of ',
    '\0',
    'match a {',
    'for a in b {',
  ])('%j ten thousand times over', (piece) => {
    const long = piece.repeat(10_000)
    read(long)
    for (const before of [
      'measure = ',
      'define f(x: ',
      'define f(x: int) = ',
      'legal instance { require ',
      'legal instance { ',
    ]) {
      read(`challenge x "y" ${before}${long}`)
    }
    read((sources[0] ?? '').replace('{{ 0 1 0 }}', `{{ ${long} }}`))
    read((sources[0] ?? '').replace('length(predicate.relations) > 0', long))
    read((sources[0] ?? '').replace('Predicate =', `${long} Predicate =`))
  })

  test('a chain of functions as long as the file allows', () => {
    const chain = Array.from(
      { length: 3000 },
      (_, i) => `define f${i}() = ${i ? `min(2, f${i - 1}() + f${i - 1}())` : '1'}`,
    )
    const text = (sources[0] ?? '').replace('measure =', `${chain.join('\n')}\nmeasure = 0 * f2999() +`)
    const { problems } = readChallenge(text)
    expect(problems[0]?.message).toBe('The functions that this calls call others too many levels deep.')
    const short = (sources[0] ?? '').replace('measure =', `${chain.slice(0, 200).join('\n')}\nmeasure = 0 * f199() +`)
    expect(readChallenge(short).problems[0]?.message).toContain('too many steps')
  })
})
