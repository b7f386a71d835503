import { expect, test } from 'vitest'
import { floorOf, fraction, fromDecimal, fromText, toNumber, toText } from '../../../grammars/formulas/index.ts'

test('are in lowest terms with a positive denominator', () => {
  expect(fraction(6, -4)).toEqual({ n: -3n, d: 2n })
  expect(fraction(0, -7)).toEqual({ n: 0n, d: 1n })
  expect(fraction(10n ** 40n, 10n ** 39n * 4n)).toEqual({ n: 5n, d: 2n })
  expect(() => fraction(1, 0)).toThrow(RangeError)
  expect(() => fraction(0.5)).toThrow(RangeError)
})

test.each([
  [0.1, '1/10'],
  [0.3, '3/10'],
  [-2.5, '-5/2'],
  [3, '3/1'],
  [1e21, '1000000000000000000000/1'],
  [1.5e-7, '3/20000000'],
  [0, '0/1'],
])('%s is exactly %s', (number, text) => {
  expect(toText(fromDecimal(number))).toBe(text)
})

test('NaN and infinities are not fractions', () => {
  for (const value of [NaN, Infinity, -Infinity]) expect(() => fromDecimal(value)).toThrow(RangeError)
})

test.each(['', '1', '1/', '/2', '1/0', '1/-2', '0x1/2', ' 1/2', '1/2\n', '1.5/2', `${'1'.repeat(2000)}/1`])(
  '%j is not the text of a fraction',
  (text) => {
    expect(fromText(text)).toBeNull()
  },
)

test('floor goes down, not towards zero', () => {
  expect([fraction(7, 2), fraction(-7, 2), fraction(-4), fraction(0)].map(floorOf)).toEqual([3n, -4n, -4n, 0n])
})

test('numbers too large for JS still have a nearest one', () => {
  expect(toNumber(fraction(10n ** 400n, 3n * 10n ** 400n))).toBeCloseTo(1 / 3, 15)
  expect(toNumber(fraction(-(10n ** 400n) - 1n, 10n ** 400n))).toBe(-1)
})
