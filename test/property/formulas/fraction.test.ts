import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  add,
  compare,
  divide,
  floorOf,
  fraction,
  fromDecimal,
  fromText,
  multiply,
  subtract,
  toNumber,
  toText,
} from '../../../grammars/formulas/index.ts'
import type { Fraction } from '../../../grammars/formulas/index.ts'

const big = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n })
const small = fc.bigInt({ min: -20n, max: 20n })
const anyFraction = fc
  .tuple(fc.oneof(small, big), fc.oneof(small, big))
  .filter(([, d]) => d !== 0n)
  .map(([n, d]) => fraction(n, d))
const zero = fraction(0)
const one = fraction(1)

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b)
}

test('the laws of a field hold, and every result is in lowest terms', () => {
  fc.assert(
    fc.property(anyFraction, anyFraction, anyFraction, (a, b, c) => {
      const results: Fraction[] = [a, add(a, b), subtract(a, b), multiply(a, b)]
      for (const { n, d } of results) expect(d > 0n && gcd(n, d) === 1n).toBe(true)
      expect(add(a, b)).toEqual(add(b, a))
      expect(multiply(a, b)).toEqual(multiply(b, a))
      expect(add(add(a, b), c)).toEqual(add(a, add(b, c)))
      expect(multiply(multiply(a, b), c)).toEqual(multiply(a, multiply(b, c)))
      expect(multiply(a, add(b, c))).toEqual(add(multiply(a, b), multiply(a, c)))
      expect(subtract(a, a)).toEqual(zero)
      if (a.n !== 0n) expect(divide(a, a)).toEqual(one)
      if (b.n !== 0n) expect(multiply(divide(a, b), b)).toEqual(a)
    }),
  )
})

test('the order is the order of the numbers', () => {
  fc.assert(
    fc.property(anyFraction, anyFraction, anyFraction, (a, b, c) => {
      expect(compare(a, b)).toBe(-compare(b, a) + 0)
      expect(compare(a, b)).toBe(Number(subtract(a, b).n > 0n) - Number(subtract(a, b).n < 0n))
      if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0)
      const low = fraction(floorOf(a))
      expect(compare(low, a)).toBeLessThanOrEqual(0)
      expect(compare(add(low, one), a)).toBe(1)
    }),
  )
})

test('texts give the fraction back', () => {
  fc.assert(
    fc.property(anyFraction, (a) => {
      expect(fromText(toText(a))).toEqual(a)
    }),
  )
})

test('a decimal is the number that its shortest text says', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e200, max: 1e200 }), (x) => {
      // The nearest number to a decimal is what the language itself reads it as.
      expect(toNumber(fromDecimal(x))).toBe(x + 0)
      expect(compare(fromDecimal(x), fraction(0))).toBe(Math.sign(x) + 0)
    }),
  )
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 9 }), (digits, places) => {
      expect(fromDecimal(Number(`${digits}e-${places}`))).toEqual(fraction(digits, 10 ** places))
    }),
  )
})
