import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { toNumber, toText } from '../../../grammars/formulas/numbers/fraction.ts'
import { finiteBreakEven, limitBreakEven } from '../../../agents/specker/mathematics/break-even.ts'
import { chance, clauseKind, relationKind, type Kind } from '../../../agents/specker/mathematics/kinds.ts'

/** Reference values, worked out independently of this project. */
const file = new URL('../../../../shared/data/specker-break-even.json', import.meta.url)
const absent = !existsSync(file)

interface Entry {
  readonly break_even: number
  readonly bmax?: number
  readonly poly?: readonly number[]
  readonly t?: readonly number[]
  readonly V_n?: Readonly<Record<string, string | number>>
}
interface Reference {
  readonly single_relations_rank3: Readonly<Record<string, Entry>>
  readonly single_clause_types: Readonly<Record<string, Entry>>
  readonly clause_type_pairs: Readonly<Record<string, Entry>>
  readonly sets: Readonly<Record<string, Entry>>
  readonly theorem_4_1_lieberherr_specker: {
    readonly table: Readonly<Record<string, { readonly tau: number; readonly equals_pair: string }>>
  }
}
const reference: Reference = absent
  ? {
      single_relations_rank3: {},
      single_clause_types: {},
      clause_type_pairs: {},
      sets: {},
      theorem_4_1_lieberherr_specker: { table: {} },
    }
  : (JSON.parse(readFileSync(file, 'utf8')) as Reference)

const clauses = (text: string): Kind[] =>
  [...text.matchAll(/\((\d+),(\d+)\)/g)].map(([, length, positives]) => clauseKind(Number(length), Number(positives)))

function check(kinds: readonly Kind[], entry: Entry): void {
  const limit = limitBreakEven(kinds)!
  expect(limit.value).toBeCloseTo(entry.break_even, 11)
  expect(limit.mixture.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
  if (entry.bmax !== undefined) expect(limit.bias).toBeCloseTo(entry.bmax, 6)
  for (const [n, expected] of Object.entries(entry.V_n ?? {})) {
    const finite = finiteBreakEven(kinds, Number(n))!
    if (typeof expected === 'string') {
      expect(toText(finite.value)).toBe(expected.includes('/') ? expected : `${expected}/1`)
    } else {
      expect(toNumber(finite.value)).toBeCloseTo(expected, 12)
    }
  }
}

describe.skipIf(absent)('break-even values of the reference file (needs the shared data)', () => {
  test('the file has what this test reads', () => {
    expect(Object.keys(reference.single_relations_rank3).length).toBeGreaterThan(20)
    expect(Object.keys(reference.sets).length).toBeGreaterThan(5)
  })

  test.each(Object.entries(reference.single_relations_rank3))('relation %s', (relation, entry) => {
    const kind = relationKind(Number(relation))
    check([kind], entry)
    for (const bias of [0, 0.3, 0.7, 1]) {
      const value = entry.poly!.reduce((sum, coefficient, power) => sum + coefficient * bias ** power, 0)
      expect(chance(kind, bias)).toBeCloseTo(value, 12)
    }
  })

  test.each(Object.entries(reference.single_clause_types))('clause type %s', (type, entry) =>
    check(clauses(type), entry),
  )

  test.each(Object.entries(reference.clause_type_pairs))('clause types %s', (pair, entry) => {
    check(clauses(pair), entry)
    if (entry.break_even < 1) {
      limitBreakEven(clauses(pair))!.mixture.forEach((share, at) => expect(share).toBeCloseTo(entry.t![at]!, 6))
    }
  })

  test.each(Object.entries(reference.sets))('set %s', (name, entry) => {
    expect(name).toMatch(/^cnf /)
    check(clauses(name), entry)
  })

  test.each(Object.entries(reference.theorem_4_1_lieberherr_specker.table))('theorem 4.1, %s', (_, row) => {
    expect(limitBreakEven(clauses(row.equals_pair))!.value).toBeCloseTo(row.tau, 11)
  })
})

describe('break-even values of the published tables', () => {
  const relations = (...numbers: number[]): Kind[] => numbers.map(relationKind)

  test.each([
    [relations(22), 4 / 9],
    [relations(126), 3 / 4],
    [relations(1, 22), 27 / 64],
    [relations(2, 6, 22), 4 / 27],
    [relations(2, 1), 4 / 27],
    [relations(22, 1, 2, 3), 4 / 27],
    [relations(2, 8), 1 / 8],
    [relations(22, 104), 3 / 8],
    [relations(1, 128), 1 / 2],
    [relations(150, 105), 1 / 2],
    [relations(127, 254), 7 / 8],
    [relations(1, 10, 128), 1 / 5],
    [relations(1, 22, 104, 128), 1 / 4],
  ])('set %#', (kinds, value) => expect(limitBreakEven(kinds)!.value).toBeCloseTo(value, 11))

  test('22 on 3 to 10 variables', () => {
    const values = [3, 4, 5, 6, 10].map((n) => toText(finiteBreakEven(relations(22), n)!.value))
    expect(values).toEqual(['1/1', '3/4', '3/5', '3/5', '21/40'])
  })

  test('single relations have eleven different values, and those with row 0 or row 7 are worth 1', () => {
    const values = Array.from({ length: 256 }, (_, number) => limitBreakEven(relations(number))!.value)
    expect(new Set(values.map((value) => value.toFixed(6))).size).toBe(11)
    expect(values.every((value, number) => (number & 0b1000_0001) === 0 || value === 1)).toBe(true)
  })

  test('V_n falls towards V', () => {
    for (const kinds of [relations(22), relations(1, 22), clauses('(1,1)(2,0)')]) {
      const values = [4, 6, 9, 14, 25].map((n) => toNumber(finiteBreakEven(kinds, n)!.value))
      expect(values).toEqual([...values].sort((a, b) => b - a))
      expect(values.at(-1)!).toBeGreaterThanOrEqual(limitBreakEven(kinds)!.value)
    }
  })
})
