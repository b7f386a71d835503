import { describe, expect, test } from 'vitest'
import { toText } from '../../../grammars/formulas/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { accepted, challengeOf, sourceOf } from './shipped.ts'

const csp = challengeOf(sourceOf('max-csp'))
const config = accepted(csp.config({})).value
const predicate = accepted(csp.predicate(config, { relations: [22, 2] })).value

describe('config', () => {
  test('fills in defaults', () => {
    expect(config).toEqual({ maxVars: 20, maxConstraints: 200, maxWeight: 10 })
    expect(csp.config({ maxVars: 5 })).toEqual({ ok: true, value: { maxVars: 5, maxConstraints: 200, maxWeight: 10 } })
  })
  test.each([
    [null, 'The settings of a challenge must be an object.'],
    [[], 'The settings of a challenge must be an object.'],
    [{ maxVars: 2 }, 'The setting maxVars must be from 3 to 1000, not 2.'],
    [{ maxVars: 4.5 }, 'The setting maxVars must be an integer.'],
    [{ maxVars: '5' }, 'The setting maxVars must be an integer.'],
    [{ maxvars: 5 }, 'The challenge has no setting "maxvars". Did you mean "maxVars"?'],
    [
      JSON.parse('{"__proto__": 1}') as Json,
      'The challenge has no setting "__proto__"; the settings are maxVars, maxConstraints, maxWeight.',
    ],
  ])('%j is refused: %s', (value, error) => {
    expect(csp.config(value)).toEqual({ ok: false, error })
  })
})

describe('predicates', () => {
  test('order and duplicates do not matter', () => {
    expect(csp.predicate(config, { relations: [6, 2, 22, 6] })).toEqual({
      ok: true,
      value: { relations: [2, 6, 22] },
      key: '{"relations":[2,6,22]}',
    })
    expect(csp.predicate(config, { relations: [10, 9] })).toMatchObject({ value: { relations: [9, 10] } })
  })
  test.each([
    [{ relations: [] }, 'A predicate must have at least one relation.'],
    [{ relations: [256] }, 'Relations are numbered 0 to 255; 256 is none.'],
    [{ relations: [-1] }, 'Relations are numbered 0 to 255; -1 is none.'],
  ])('%j is refused: %s', (value, error) => {
    expect(csp.predicate(config, value)).toEqual({ ok: false, error })
  })
  test.each([
    null,
    3,
    [],
    {},
    { relations: 2 },
    { relations: ['2'] },
    { relations: [2.5] },
    { relations: [2], more: 1 },
  ])('%j is not even one', (value) => {
    expect(csp.predicate(config, value)).toMatchObject({
      ok: false,
      error: expect.stringContaining('The predicate is malformed') as string,
    })
  })
})

function constraint(changed: Readonly<Record<string, Json>>): Json {
  return { weight: 1, relation: 22, variables: [1, 2, 3], ...changed }
}

describe('instances', () => {
  test('a legal one', () => {
    const instance = {
      variables: 5,
      constraints: [constraint({}), constraint({ relation: 2, weight: 10, variables: [5, 1, 3] })],
    }
    expect(csp.legal(config, predicate, instance)).toBeNull()
  })
  test.each([
    [{ weight: 0 }, 'The weight of constraint 1 must be 1 to 10, not 0.'],
    [{ weight: 11 }, 'The weight of constraint 1 must be 1 to 10, not 11.'],
    [{ relation: 6 }, 'Constraint 1 has relation 6, which is not in the predicate.'],
    [{ variables: [1, 2] }, 'Constraint 1 must have three variables, not 2.'],
    [{ variables: [1, 2, 3, 4] }, 'Constraint 1 must have three variables, not 4.'],
    [{ variables: [1, 2, 6] }, 'The variables of constraint 1 must be 1 to 5; they are [1, 2, 6].'],
    [{ variables: [0, 1, 2] }, 'The variables of constraint 1 must be 1 to 5; they are [0, 1, 2].'],
    [{ variables: [1, 2, 1] }, 'The variables of constraint 1 must differ; they are [1, 2, 1].'],
  ])('a constraint with %j is illegal: %s', (changed, error) => {
    const instance = { variables: 5, constraints: [constraint(changed)] }
    expect(csp.legal(config, predicate, instance)).toBe(error)
  })
  test('sizes are those of the config', () => {
    const small = accepted(csp.config({ maxVars: 3, maxConstraints: 1 })).value
    const one = constraint({})
    expect(csp.legal(small, predicate, { variables: 3, constraints: [one] })).toBeNull()
    expect(csp.legal(small, predicate, { variables: 4, constraints: [one] })).toBe(
      'The number of variables must be 3 to 3, not 4.',
    )
    expect(csp.legal(small, predicate, { variables: 3, constraints: [one, one] })).toContain('must be 1 to 1, not 2')
    expect(csp.legal(small, predicate, { variables: 3, constraints: [] })).toContain('must be 1 to 1, not 0')
  })
  test('a value that is not an instance is named with its path', () => {
    const instance = { variables: 5, constraints: [constraint({}), constraint({ weight: 'heavy' })] }
    expect(csp.legal(config, predicate, instance)).toContain('constraints[1].weight')
  })
})

describe('solutions', () => {
  const instance = { variables: 3, constraints: [constraint({})] }
  test('each variable has a value that is 0 or 1', () => {
    expect(csp.feasible(config, instance, { values: [0, 1, 1] })).toBeNull()
    expect(csp.feasible(config, instance, { values: [0, 1] })).toBe('A solution must have 3 values, not 2.')
    expect(csp.feasible(config, instance, { values: [0, 2, 1] })).toBe('The value of variable 2 must be 0 or 1, not 2.')
    expect(csp.feasible(config, instance, { values: [true, false, true] })).toContain('values[0]')
  })
  test('bit r of a relation is row r, the first listed variable in front', () => {
    // 2 is bit 1 alone: row 001. 175 is "x implies z".
    for (const [relation, holds] of [
      [2, '001'],
      [16, '100'],
      [175, '000 001 010 011 101 111'],
    ] as const) {
      for (let row = 0; row < 8; row++) {
        const bits = row.toString(2).padStart(3, '0')
        const one = { variables: 3, constraints: [constraint({ relation })] }
        const quality = csp.quality(config, one, { values: bits.split('').map(Number) })
        expect(typeof quality === 'string' ? quality : toText(quality)).toBe(holds.includes(bits) ? '1/1' : '0/1')
      }
    }
  })
})

test('texts of predicate, instance and solution', () => {
  const { values } = csp
  const instance = { variables: 4, constraints: [{ weight: 2, relation: 22, variables: [4, 1, 3] }] }
  const text = values.print(instance, 'Instance')
  expect(text.split('\n')).toHaveLength(2)
  expect(values.parse(text, 'Instance')).toEqual({ ok: true, value: instance })
  expect(values.parse('variables 4 2:22(4 1 3)', 'Instance')).toEqual({ ok: true, value: instance })
  expect(values.parse('0 1 1', 'Solution')).toEqual({ ok: true, value: { values: [0, 1, 1] } })
})
