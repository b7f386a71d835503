import { describe, expect, test } from 'vitest'
import { toText } from '../../../grammars/formulas/index.ts'
import { accepted, challengeOf, sourceOf } from './shipped.ts'

const sat = challengeOf(sourceOf('max-sat'))
const config = accepted(sat.config({})).value
const unit = { length: 1, positives: 1 }
const pair = { length: 2, positives: 0 }
const predicate = accepted(sat.predicate(config, { types: [unit, pair] })).value

test('defaults', () => {
  expect(config).toEqual({ maxVars: 20, maxClauses: 200, maxWeight: 10, maxClauseLength: 3 })
})

describe('predicates', () => {
  test('order and duplicates do not matter, nor the order of fields', () => {
    const same = [
      { types: [unit, pair] },
      { types: [pair, unit, pair] },
      { types: [{ positives: 0, length: 2 }, unit] },
    ].map((value) => accepted(sat.predicate(config, value)))
    expect(new Set(same.map(({ key }) => key)).size).toBe(1)
    expect(same[2]?.value).toEqual({ types: [unit, pair] })
  })
  test.each([
    [{ types: [] }, 'A predicate must have at least one clause type.'],
    [{ types: [{ length: 4, positives: 0 }] }, 'The length in a clause type must be 1 to 3, not 4.'],
    [{ types: [{ length: 0, positives: 0 }] }, 'The length in a clause type must be 1 to 3, not 0.'],
    [{ types: [{ length: 2, positives: 3 }] }, 'A clause of length 2 has 0 to 2 positive literals, not 3.'],
  ])('%j is refused: %s', (value, error) => {
    expect(sat.predicate(config, value)).toEqual({ ok: false, error })
  })
})

describe('instances', () => {
  test.each([
    [[{ weight: 1, literals: [1] }], null],
    [[{ weight: 1, literals: [-2, -1] }], null],
    [[{ weight: 1, literals: [-1] }], 'Clause 1 is of type (1, 0), which is not in the predicate.'],
    [
      [
        { weight: 1, literals: [1] },
        { weight: 1, literals: [1, -2] },
      ],
      'Clause 2 is of type (2, 1), which is not in the predicate.',
    ],
    [[{ weight: 0, literals: [1] }], 'The weight of clause 1 must be 1 to 10, not 0.'],
    [[{ weight: 1, literals: [] }], 'Clause 1 must have 1 to 3 literals, not 0.'],
    [[{ weight: 1, literals: [0] }], 'The literals of clause 1 must be 1 to 2, or -1 to -2; they are [0].'],
    [[{ weight: 1, literals: [3] }], 'The literals of clause 1 must be 1 to 2, or -1 to -2; they are [3].'],
    [
      [{ weight: 1, literals: [-1, -1] }],
      'The literals of clause 1 must be of different variables; they are [-1, -1].',
    ],
    [[], 'The number of clauses must be 1 to 200, not 0.'],
  ])('%j: %s', (clauses, error) => {
    expect(sat.legal(config, predicate, { variables: 2, clauses })).toBe(error)
  })
})

test('quality is the weighted part of clauses with a literal that holds', () => {
  const clauses = [
    { weight: 3, literals: [1] },
    { weight: 4, literals: [-1, -2] },
    { weight: 5, literals: [2] },
  ]
  const quality = (values: number[]): string => {
    const found = sat.quality(config, { variables: 2, clauses }, { values })
    return typeof found === 'string' ? found : toText(found)
  }
  expect([quality([0, 0]), quality([1, 0]), quality([0, 1]), quality([1, 1])]).toEqual(['1/3', '7/12', '3/4', '2/3'])
})
