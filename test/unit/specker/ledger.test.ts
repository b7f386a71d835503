import { describe, expect, test } from 'vitest'
import { fraction } from '../../../grammars/formulas/numbers/fraction.ts'
import { energyOf, shareOut } from '../../../main/referees/specker/trading/ledger.ts'
import { energy } from '../../../main/referees/specker/trading/violations.ts'

describe('shareOut', () => {
  test.each([
    [100, [], []],
    [100, [30, 70], [30, 70]],
    [100, [30, 20], [30, 20]],
    [100, [100, 100, 100], [34, 33, 33]],
    [0, [5, 5], [0, 0]],
    [1, [1, 1], [1, 0]],
    [1, [0, 3], [0, 1]],
    [101, [500, 301], [63, 38]],
    [Number.MAX_SAFE_INTEGER - 1, [Number.MAX_SAFE_INTEGER, 1], [Number.MAX_SAFE_INTEGER - 2, 1]],
  ])('%i among %j', (available, claims, shares) => {
    expect(shareOut(available, claims)).toEqual(shares)
  })
})

test('an amount of energy is rounded down', () => {
  expect(energyOf(fraction(0))).toBe(0)
  expect(energyOf(fraction(1))).toBe(1_000_000_000)
  expect(energyOf(fraction(2, 3))).toBe(666_666_666)
  expect(energyOf(fraction(1, 1_000_000_001))).toBe(0)
  expect(energyOf(fraction(10n ** 30n - 1n, 10n ** 30n))).toBe(999_999_999)
})

test.each([
  [0, '0'],
  [1, '0.000000001'],
  [250_000_000, '0.25'],
  [-500_000_000, '-0.5'],
  [12_000_000_000, '12'],
])('%i is %s energy', (amount, text) => {
  expect(energy(amount)).toBe(text)
})
