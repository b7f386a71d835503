import { describe, expect, test } from 'vitest'
import { compare, fraction, toText } from '../../../grammars/formulas/index.ts'
import type { Fraction } from '../../../grammars/formulas/index.ts'
import { accepted, challengeOf, sourceOf } from '../../unit/challenges/shipped.ts'

// Sections 5.1 and 5.2 of the specification, and the known mathematics of break-even prices on symmetric instances.

const csp = challengeOf(sourceOf('max-csp'))
const sat = challengeOf(sourceOf('max-sat'))

/** The best quality over all assignments. */
function best(variables: number, quality: (values: number[]) => Fraction | string): string {
  let found = fraction(0)
  for (let bits = 0; bits < 2 ** variables; bits++) {
    const one = quality(Array.from({ length: variables }, (_, v) => (bits >> v) & 1))
    if (typeof one === 'string') throw new Error(one)
    if (compare(one, found) > 0) found = one
  }
  return toText(found)
}

/** All ordered triples of different variables, so that the order of arguments cannot matter. */
function triples(variables: number): number[][] {
  const all = Array.from({ length: variables }, (_, v) => v + 1)
  return all.flatMap((a) => all.flatMap((b) => all.map((c) => [a, b, c]))).filter((t) => new Set(t).size === 3)
}

describe('the best quality of symmetric instances is V_n', () => {
  test.each([
    [22, 3, '1/1'],
    [22, 4, '3/4'],
    [22, 5, '3/5'],
    [22, 6, '3/5'],
    [126, 5, '9/10'],
    [255, 3, '1/1'],
    [0, 3, '0/1'],
  ])('relation %i with %i variables: %s', (relation, variables, expected) => {
    const config = accepted(csp.config({})).value
    const instance = { variables, constraints: triples(variables).map((t) => ({ weight: 1, relation, variables: t })) }
    const predicate = accepted(csp.predicate(config, { relations: [relation] })).value
    expect(csp.legal(config, predicate, instance)).toBeNull()
    expect(best(variables, (values) => csp.quality(config, instance, { values }))).toBe(expected)
  })

  test.each([
    [3, 2, 2, '2/3'],
    [5, 3, 2, '16/25'],
  ])('clause types (1,1) and (2,0) with %i variables', (variables, units, pairs, expected) => {
    const config = accepted(sat.config({ maxWeight: 1000 })).value
    const all = Array.from({ length: variables }, (_, v) => v + 1)
    const two = all.flatMap((a) => all.filter((b) => a < b).map((b) => [-a, -b]))
    // Single clauses weigh so that the types weigh `units` to `pairs` in all.
    const [unit, pair] = [units * two.length, pairs * variables]
    const clauses = [
      ...all.map((v) => ({ weight: unit, literals: [v] })),
      ...two.map((literals) => ({ weight: pair, literals })),
    ]
    const instance = { variables, clauses }
    const predicate = accepted(
      sat.predicate(config, {
        types: [
          { length: 2, positives: 0 },
          { length: 1, positives: 1 },
        ],
      }),
    ).value
    expect(sat.legal(config, predicate, instance)).toBeNull()
    expect(best(variables, (values) => sat.quality(config, instance, { values }))).toBe(expected)
  })
})

describe('the classic predicates of section 5.3', () => {
  test.each([[[2, 6, 22, 10]], [[22, 1, 2, 3]], [[0, 255]]])('%j', (relations) => {
    const config = accepted(csp.config({})).value
    expect(csp.predicate(config, { relations })).toMatchObject({ ok: true })
  })
  test('((1,1) (2,2) (3,3) (2,0) (3,0))', () => {
    const config = accepted(sat.config({})).value
    const parsed = sat.values.parse('types (1,1) (2,2) (3,3) (2,0) (3,0)', 'Predicate')
    if (!parsed.ok) throw new Error(parsed.problem.message)
    expect(sat.predicate(config, parsed.value)).toMatchObject({ ok: true })
  })
})
