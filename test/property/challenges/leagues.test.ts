import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Challenge } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { accepted, challengeOf, sourceOf } from '../../unit/challenges/shipped.ts'

/** The leagues of section 5.3, worked out here from nothing but which element implies which. */
interface Facts {
  readonly size: number
  /** One that implies all. */
  readonly rooted: boolean
  /** None implies another. */
  readonly independent: boolean
  /** How many no other one implies. */
  readonly left: number
}

function factsOf<T>(elements: readonly T[], implies: (a: T, b: T) => boolean): Facts {
  const pairs = elements.flatMap((a, i) => elements.flatMap((b, j) => (i === j ? [] : [{ a, b }])))
  const implied = new Set(pairs.filter(({ a, b }) => implies(a, b)).map(({ b }) => b))
  return {
    size: elements.length,
    rooted: elements.some((a) => elements.every((b) => implies(a, b))),
    independent: implied.size === 0,
    left: elements.length - implied.size,
  }
}

function expectLeagues(challenge: Challenge, predicate: Json, { size, rooted, independent, left }: Facts): void {
  const config = accepted(challenge.config({})).value
  const { value } = accepted(challenge.predicate(config, predicate))
  const admitted = (name: string, k?: number): boolean => {
    const league = challenge.leagues.find((one) => one.name === name)
    if (league === undefined) throw new Error(`no league ${name}`)
    return league.admits(config, value, k) === null
  }
  expect({
    't-ball': admitted('t-ball'),
    'slow-pitch': admitted('slow-pitch'),
    'fast-pitch': admitted('fast-pitch'),
    'base-ball': admitted('base-ball'),
  }).toEqual({ 't-ball': size === 1, 'slow-pitch': rooted, 'fast-pitch': true, 'base-ball': true })
  for (const k of [1, 2, 3, size, left]) {
    expect([k, admitted('level-k-independent', k)]).toEqual([k, independent && size === k])
    expect([k, admitted('level-k-reduced', k)]).toEqual([k, left === k])
  }
}

/** Truth tables as sets of rows, so that nothing here counts bits as the challenge does. */
function rowsOf(relation: number): ReadonlySet<number> {
  return new Set([0, 1, 2, 3, 4, 5, 6, 7].filter((row) => Math.floor(relation / 2 ** row) % 2 === 1))
}
const relationImplies = (a: number, b: number): boolean => [...rowsOf(a)].every((row) => rowsOf(b).has(row))

interface ClauseType {
  readonly length: number
  readonly positives: number
}
const clauseImplies = (a: ClauseType, b: ClauseType): boolean =>
  a.positives <= b.positives && a.length - a.positives <= b.length - b.positives

const csp = challengeOf(sourceOf('max-csp'))
const sat = challengeOf(sourceOf('max-sat'))

test('leagues of max-csp are those of section 5.3', () => {
  // Few bits, so that implications are common.
  const sparse = fc
    .uniqueArray(fc.constantFrom(1, 2, 4, 16), { maxLength: 3 })
    .map((bits) => bits.reduce((a, b) => a + b, 0))
  const relation = fc.oneof(sparse, fc.integer({ min: 0, max: 255 }))
  fc.assert(
    fc.property(fc.uniqueArray(relation, { minLength: 1, maxLength: 6 }), (relations) => {
      expectLeagues(csp, { relations }, factsOf(relations, relationImplies))
    }),
    { numRuns: 300 },
  )
})

test('leagues of max-sat are those of section 5.3', () => {
  const type = fc
    .integer({ min: 1, max: 3 })
    .chain((length) => fc.integer({ min: 0, max: length }).map((positives) => ({ length, positives })))
  const types = fc.uniqueArray(type, { minLength: 1, maxLength: 6, selector: (t) => t.length * 10 + t.positives })
  fc.assert(
    fc.property(types, (chosen) => expectLeagues(sat, { types: chosen }, factsOf(chosen, clauseImplies))),
    { numRuns: 300 },
  )
})

describe("the spec's own examples", () => {
  const cspConfig = accepted(csp.config({})).value
  const satConfig = accepted(sat.config({})).value
  const admits = (challenge: Challenge, config: Json, predicate: Json, name: string, k?: number): boolean => {
    const { value } = accepted(challenge.predicate(config, predicate))
    return challenge.leagues.find((league) => league.name === name)?.admits(config, value, k) === null
  }

  test.each([
    [[22], 't-ball', undefined, true],
    [[2, 6, 22, 10], 'slow-pitch', undefined, true],
    [[2, 6, 10, 14], 'slow-pitch', undefined, true],
    [[2, 6, 22, 1], 'slow-pitch', undefined, false],
    [[2, 6, 22, 1], 'level-k-reduced', 2, true],
    [[2, 6, 22, 10], 'level-k-reduced', 1, true],
    [[2, 6, 22, 10], 'level-k-independent', 1, false],
    [Array.from({ length: 256 }, (_, relation) => relation), 'slow-pitch', undefined, true],
    [Array.from({ length: 255 }, (_, relation) => relation + 1), 'level-k-reduced', 8, true],
  ])('relations %j in %s (%s): %s', (relations, league, k, expected) => {
    expect(admits(csp, cspConfig, { relations }, league, k)).toBe(expected)
  })

  test.each([
    ['(1,1) (2,2) (3,3)', 'slow-pitch', undefined, true],
    ['(1,1) (2,0)', 'level-k-independent', 2, true],
    ['(1,1) (2,2) (3,3) (2,0) (3,0)', 'level-k-reduced', 2, true],
    ['(1,1) (2,2) (3,3) (2,0) (3,0)', 'level-k-independent', 5, false],
  ])('clause types %s in %s (%s): %s', (text, league, k, expected) => {
    const parsed = sat.values.parse(`types ${text}`, 'Predicate')
    if (!parsed.ok) throw new Error(parsed.problem.message)
    expect(admits(sat, satConfig, parsed.value, league, k)).toBe(expected)
  })
})
