import { describe, expect, test } from 'vitest'
import { exchangeOf, type Imported } from '../../../grammars/challenges/formats/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { accepted, challengeOf, sourceOf } from './shipped.ts'
import { saying, type Fact } from '../../refusal.ts'

const dimacs = exchangeOf(challengeOf(sourceOf('max-sat')))!
const course = exchangeOf(challengeOf(sourceOf('max-csp')))!

function material(read: Imported) {
  if (!read.ok) throw new Error(read.problem.message)
  return read.material
}

function problem(read: Imported): string {
  if (read.ok) throw new Error('it was read')
  const { at, message } = read.problem
  return `${at.line}:${at.column}: ${message}`
}

/** Expects a refusal at a place, and facts in its sentence: numbers of the place do not stand for those. */
function expectProblem(read: Imported, place: string, ...facts: readonly Fact[]): void {
  const found = problem(read)
  expect(found.slice(0, place.length)).toBe(place)
  expect(found.slice(place.length)).toEqual(saying(...facts))
}

const clause = (weight: number, ...literals: number[]): Json => ({ weight, literals })

describe('DIMACS', () => {
  test('CNF: comments anywhere, clauses over several lines, several on one', () => {
    const text = 'c a comment\np cnf 4 3\n1 -2\n 3 0\nc between\n4 0 -1 -4 0\n'
    expect(material(dimacs.read(text))).toEqual({
      instance: { variables: 4, clauses: [clause(1, 1, -2, 3), clause(1, 4), clause(1, -1, -4)] },
      predicate: {
        types: [
          { length: 1, positives: 1 },
          { length: 2, positives: 0 },
          { length: 3, positives: 2 },
        ],
      },
      config: { maxVars: 4, maxClauses: 3, maxWeight: 1, maxClauseLength: 3 },
      notes: [],
      best: null,
    })
  })

  test('what SATLIB puts behind the clauses is not read; line ends may be those of Windows', () => {
    expect(material(dimacs.read('p cnf 2 1\r\n1 2 0\r\n%\r\n0\r\n\r\n')).instance).toEqual({
      variables: 2,
      clauses: [clause(1, 1, 2)],
    })
  })

  test('old WCNF: a weight of top or more is hard, and weighs more than all soft ones together', () => {
    const read = material(dimacs.read('p wcnf 3 4 16\n16 1 -2 0\n5 2 0\n20 -1 3 0\n10 -3 0\n'))
    expect(read.instance).toEqual({
      variables: 3,
      clauses: [clause(16, 1, -2), clause(5, 2), clause(16, -1, 3), clause(10, -3)],
    })
    expect(read.notes).toEqual(['2 hard clauses weigh 16 each, more than all soft ones together.'])
  })

  test('old WCNF without top has soft clauses only', () => {
    expect(material(dimacs.read('p wcnf 2 2\n7 1 0\n3 -1 2 0\n')).instance).toMatchObject({
      clauses: [clause(7, 1), clause(3, -1, 2)],
    })
  })

  test('WCNF of 2022: h is hard; without a header the variables are those that are there', () => {
    const read = material(dimacs.read('c nvars: 5\nh 1 2 0\n4 -1 0\nh -2 0\n'))
    expect(read.instance).toEqual({ variables: 5, clauses: [clause(5, 1, 2), clause(4, -1), clause(5, -2)] })
    expect(material(dimacs.read('h 1 2 0\n4 -1 0\n')).instance).toMatchObject({ variables: 2 })
  })

  test('a literal that is there twice counts once', () => {
    expect(material(dimacs.read('p cnf 2 1\n1 2 1 0\n')).instance).toMatchObject({ clauses: [clause(1, 1, 2)] })
  })

  test.each<[string, string, ...Fact[]]>([
    ['', '1:1: ', 'no', 'clause.'],
    ['p cnf 2 2\n1 2 0\n', '1:1: ', 'header', '2 clauses', 1],
    ['p cnf 2 1\n1 3 0\n', '2:3: ', 'header', '2 variables', 3],
    ['p cnf 2 1\n1 -1 0\n', '2:3: ', 1, -1, 'always', 'max-sat', 'not'],
    ['p cnf 2 1\n0\n', '2:1: ', 'empty', 'never', 'max-sat', 'not'],
    ['p wcnf 2 1 9\n3 0\n', '2:3: ', 'empty', 'never', 'max-sat', 'not'],
    ['p wcnf 2 2\n3 1 2 0\n0 2 0\n', '3:1: ', 'weight', 'whole number', 1, '"0"'],
    ['p wcnf 2 1\n99999999999999999999 2 0\n', '2:1: ', 'weight', 'large', '"99999999999999999999"'],
    ['p cnf 2 1\n1 2', '2:1: ', 'clause', 'not', 'end', 0],
    ['p cnf 2 1\n-0 0', '2:1: ', 'end', 'clause', 'written', 'as 0'],
    ['p cnf 2 1\n1 x 0', '2:3: ', 'literal', 'whole number', '"x"'],
    ['p dnf 2 1\n1 0', '1:1: ', '"p cnf variables clauses"', '"p wcnf variables clauses top"'],
    ['p cnf 2 1 7\n1 0', '1:11: ', 'header', 'end', 'before'],
    ['p cnf 2 1\np cnf 2 1\n1 0', '2:1: ', 'header', 'one', 'before', 'clauses'],
    ['p wcnf 1 1 5\n0.5 1 0', '2:1: ', 'weight', 'whole number', 1, '"0.5"'],
  ])('%j: %s', (text, place, ...facts) => {
    expectProblem(dimacs.read(text), place, ...facts)
  })

  const instance = { variables: 3, clauses: [clause(2, 1, -2), clause(1, -3)] }
  test.each([
    [undefined, 'wcnf', 'p wcnf 3 2 4\n2 1 -2 0\n1 -3 0\n'],
    ['wcnf-2022', 'wcnf-2022', 'c nvars: 3\n2 1 -2 0\n1 -3 0\n'],
  ])('written as %s', (format, found, text) => {
    expect(dimacs.write(instance, format)).toEqual({ ok: true, format: found, text })
    expect(material(dimacs.read(text)).instance).toEqual(instance)
  })

  test('CNF is written where all clauses weigh 1, and not otherwise', () => {
    const plain = { variables: 2, clauses: [clause(1, 1, -2)] }
    expect(dimacs.write(plain)).toEqual({ ok: true, format: 'cnf', text: 'p cnf 2 1\n1 -2 0\n' })
    expect(dimacs.write(instance, 'cnf')).toMatchObject({ ok: false })
    expect(dimacs.write(plain, 'xml')).toMatchObject({ ok: false })
  })
})

describe("the course's text", () => {
  test('relation, weight where it is not 1, variables, 0', () => {
    const read = material(course.read('c comment\np 5 2\n22: 1 2 3 0\n85 5: 1 4 0\n'))
    expect(read.instance).toEqual({
      variables: 5,
      constraints: [
        { weight: 1, relation: 22, variables: [1, 2, 3] },
        // 85 is "the last is false": of two variables, the first of three is any other.
        { weight: 5, relation: 85, variables: [2, 1, 4] },
      ],
    })
    expect(read.predicate).toEqual({ relations: [22, 85] })
    expect(read.config).toEqual({ maxVars: 5, maxConstraints: 2, maxWeight: 5 })
  })

  test('a relation 0 is not an end, and the colon may stand alone', () => {
    expect(material(course.read('p 3 2\n0: 1 2 3 0\n 22 3 : 3 2\n 1 0\n')).instance).toEqual({
      variables: 3,
      constraints: [
        { weight: 1, relation: 0, variables: [1, 2, 3] },
        { weight: 3, relation: 22, variables: [3, 2, 1] },
      ],
    })
  })

  test.each<[string, string, ...Fact[]]>([
    ['22: 1 2 3 0', '1:1: ', 'first line', 'comment', '"p variables constraints"'],
    ['p 3 2\n22: 1 2 3 0', '1:1: ', 'header', '2 constraints', 1],
    ['p 3 1\n22: 1 2 4 0', '2:9: ', 'header', '3 variables', 'variable 4'],
    ['p 3 1\n22: 1 2 1 0', '2:1: ', 'variables', 'differ'],
    ['p 3 1\n22: 1 2 0', '2:1: ', 'Relation 22', '2 variables'],
    ['p 4 1\n22: 1 2 3 4 0', '2:1: ', 'constraint', 'one', 'three', 4],
    ['p 3 1\n256: 1 2 3 0', '2:1: ', 'Relations', 0, 255, 'not 256'],
    ['p 3 1\n22 0: 1 2 3 0', '2:4: ', 'weight', 'whole number', 1, '"0"'],
    ['p 3 1\n22: 1 2 3', '2:1: ', 'constraint', 'not', 'end', 0],
    ['p 3\n22: 1 2 3 0', '1:1: ', 'header', '"p variables constraints"'],
  ])('%j: %s', (text, place, ...facts) => {
    expectProblem(course.read(text), place, ...facts)
  })
})

test.each(['max-sat', 'max-csp'])('what is imported is legal for %s under the settings that come with it', (name) => {
  const text =
    name === 'max-sat' ? 'p wcnf 30 2 9\n9 25 -30 0\n3 1 2 -3 4 0\n' : 'p 25 2\n22 70: 1 2 25 0\n10 3: 4 5 6 0\n'
  const challenge = challengeOf(sourceOf(name))
  const { instance, predicate, config } = material(exchangeOf(challengeOf(sourceOf(name)))!.read(text))
  const settings = accepted(challenge.config(config)).value
  const form = accepted(challenge.predicate(settings, predicate)).value
  expect(challenge.legal(settings, form, instance)).toBeNull()
  expect(challenge.legal(accepted(challenge.config({})).value, form, instance)).not.toBeNull()
})

test('other challenges have no other format', () => {
  expect(exchangeOf(challengeOf(sourceOf('knapsack')))).toBeNull()
})
