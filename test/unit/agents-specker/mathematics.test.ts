import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compare, fraction, multiply, add, toText, type Fraction } from '../../../grammars/formulas/numbers/fraction.ts'
import { finiteBreakEven } from '../../../agents/specker/mathematics/break-even.ts'
import { clauseImplies, relationImplies, roots } from '../../../agents/specker/mathematics/implication.ts'
import { clauseKind, fall, meanAt, relationKind } from '../../../agents/specker/mathematics/kinds.ts'
import { solveGame } from '../../../agents/specker/mathematics/matrix-game.ts'

const dot = (shares: readonly Fraction[], entries: readonly bigint[]): Fraction =>
  shares.reduce((sum, share, at) => add(sum, multiply(share, fraction(entries[at]!))), fraction(0))

test('a solved game is an exact saddle point', () => {
  const matrices = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })).chain(([rows, columns]) =>
    fc.array(fc.array(fc.bigInt({ min: -6n, max: 6n }), { minLength: columns, maxLength: columns }), {
      minLength: rows,
      maxLength: rows,
    }),
  )
  fc.assert(
    fc.property(matrices, (matrix) => {
      const { value, rows, columns } = solveGame(matrix)
      for (const shares of [rows, columns]) {
        expect(toText(shares.reduce(add))).toBe('1/1')
        expect(shares.every((share) => share.n >= 0n)).toBe(true)
      }
      for (let j = 0; j < columns.length; j++) {
        const column = matrix.map((line) => line[j]!)
        expect(compare(dot(rows, column), value)).toBeLessThanOrEqual(0)
      }
      for (const line of matrix) expect(compare(dot(columns, line), value)).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 200 },
  )
})

test('the mixture of V_n holds every number of true variables down to it, and the true count reaches it', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 3, max: 9 }),
      (numbers, n) => {
        const kinds = numbers.map(relationKind)
        const { value, mixture, trueCount } = finiteBreakEven(kinds, n)!
        const reached = Array.from({ length: n + 1 }, (_, k) =>
          kinds.reduce(
            (sum, kind, at) => add(sum, multiply(mixture[at]!, fraction(meanAt(kind, n, k), fall(n, 3)))),
            fraction(0),
          ),
        )
        expect(reached.findIndex((sum) => compare(sum, value) === 0)).toBe(trueCount)
        expect(reached.every((sum) => compare(sum, value) <= 0)).toBe(true)
      },
    ),
    { numRuns: 100 },
  )
})

test('kinds that do not fit on the variables are left out; nothing left has no value', () => {
  expect(finiteBreakEven([clauseKind(3, 0)], 2)).toBeUndefined()
  expect(toText(finiteBreakEven([clauseKind(1, 1), clauseKind(3, 0)], 2)!.value)).toBe('1/1')
  expect(finiteBreakEven([], 5)).toBeUndefined()
})

test('implication: bits for relations, literals for clause types', () => {
  expect([relationImplies(2, 6), relationImplies(6, 22), relationImplies(2, 10), relationImplies(10, 22)]).toEqual([
    true,
    true,
    true,
    false,
  ])
  const type = (length: number, positives: number) => ({ length, positives })
  expect(clauseImplies(type(1, 1), type(2, 2))).toBe(true)
  expect(clauseImplies(type(1, 1), type(3, 1))).toBe(true)
  expect(clauseImplies(type(1, 1), type(2, 0))).toBe(false)
  expect(clauseImplies(type(2, 1), type(2, 2))).toBe(false)
  expect(roots([2, 6, 22, 1], relationImplies)).toEqual([2, 1])
  expect(roots([6, 6], relationImplies)).toEqual([6])
})

test('what is implied never changes the price', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 8 }), (numbers) => {
      const all = finiteBreakEven(numbers.map(relationKind), 7)!
      const few = finiteBreakEven(roots(numbers, relationImplies).map(relationKind), 7)!
      expect(toText(few.value)).toBe(toText(all.value))
    }),
    { numRuns: 100 },
  )
})
