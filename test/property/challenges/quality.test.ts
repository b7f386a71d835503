import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fraction } from '../../../grammars/formulas/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { accepted, challengeOf, sourceOf } from '../../unit/challenges/shipped.ts'
import { assignments, cspInstances, satInstances } from './generators.ts'
import type { Clause, Constraint } from './generators.ts'

const csp = challengeOf(sourceOf('max-csp'))
const sat = challengeOf(sourceOf('max-sat'))
const cspConfig = accepted(csp.config({})).value
const satConfig = accepted(sat.config({})).value

/** By hand: the row as text, first listed variable in front. */
function satisfies({ relation, variables }: Constraint, values: readonly number[]): boolean {
  const row = variables.map((variable) => String(values[variable - 1])).join('')
  return relation.toString(2).padStart(8, '0').split('').reverse()[parseInt(row, 2)] === '1'
}

function holds({ literals }: Clause, values: readonly number[]): boolean {
  return literals.some((literal) => values[Math.abs(literal) - 1] === (literal > 0 ? 1 : 0))
}

function weightOf(parts: readonly { readonly weight: number }[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0)
}

test('the quality of max-csp is that of an evaluator written by hand', () => {
  const relations = fc.uniqueArray(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 30 })
  const cases = relations.chain((numbers) =>
    cspInstances(numbers).chain((instance) =>
      assignments(instance.variables).map((values) => ({ numbers, instance, values })),
    ),
  )
  fc.assert(
    fc.property(cases, ({ numbers, instance, values }) => {
      const predicate = accepted(csp.predicate(cspConfig, { relations: numbers })).value
      const raw = instance as Json
      expect(csp.legal(cspConfig, predicate, raw)).toBeNull()
      expect(csp.feasible(cspConfig, raw, { values })).toBeNull()
      const satisfied = instance.constraints.filter((constraint) => satisfies(constraint, values))
      const expected = fraction(weightOf(satisfied), weightOf(instance.constraints))
      expect(csp.quality(cspConfig, raw, { values })).toEqual(expected)
      expect(csp.values.parse(csp.values.print(raw, 'Instance'), 'Instance')).toEqual({ ok: true, value: raw })
    }),
    { numRuns: 200 },
  )
})

test('the quality of max-sat is that of an evaluator written by hand', () => {
  const cases = satInstances.chain((instance) =>
    assignments(instance.variables).map((values) => ({ instance, values })),
  )
  fc.assert(
    fc.property(cases, ({ instance, values }) => {
      const types = instance.clauses.map(({ literals }) => {
        return { length: literals.length, positives: literals.filter((literal) => literal > 0).length }
      })
      const predicate = accepted(sat.predicate(satConfig, { types })).value
      const raw = instance as Json
      expect(sat.legal(satConfig, predicate, raw)).toBeNull()
      expect(sat.feasible(satConfig, raw, { values })).toBeNull()
      const satisfied = instance.clauses.filter((clause) => holds(clause, values))
      const expected = fraction(weightOf(satisfied), weightOf(instance.clauses))
      expect(sat.quality(satConfig, raw, { values })).toEqual(expected)
    }),
    { numRuns: 200 },
  )
})

test('a clause of a type outside the predicate is never legal', () => {
  fc.assert(
    fc.property(satInstances, fc.nat(), (instance, pick) => {
      const typeOf = ({ literals }: Clause): string => `${literals.length},${literals.filter((l) => l > 0).length}`
      const used = [...new Set(instance.clauses.map(typeOf))]
      const left = used[pick % used.length]
      const others = used
        .filter((type) => type !== left)
        .concat('1,1', '2,2')
        .filter((type) => type !== left)
      const types = others.map((type) => {
        const [length = 0, positives = 0] = type.split(',').map(Number)
        return { length, positives }
      })
      const predicate = accepted(sat.predicate(satConfig, { types })).value
      expect(sat.legal(satConfig, predicate, instance as Json)).toContain('is not in the predicate')
    }),
  )
})

test('predicates are equal exactly where they are equal as sets', () => {
  const relations = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(relations, relations, (a, b) => {
      const first = accepted(csp.predicate(cspConfig, { relations: a }))
      const second = accepted(csp.predicate(cspConfig, { relations: b }))
      const same = a.every((one) => b.includes(one)) && b.every((one) => a.includes(one))
      expect(first.key === second.key).toBe(same)
      expect(first.value).toEqual({ relations: [...new Set(a)].sort((x, y) => x - y) })
      expect(accepted(csp.predicate(cspConfig, first.value))).toEqual(first)
    }),
  )
})
