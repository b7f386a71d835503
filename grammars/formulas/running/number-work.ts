import { spend, type Frame } from './frame.ts'
import { exactly, order, sizeOf, type Exact } from '../numbers/exact.ts'

/*
 * The price of computing with exact numbers, in steps of the budget. Small integers, the common case, cost nothing of their own;
 * numbers with many digits cost as many steps as loops that take as long.
 */

const isWhole = (number: Exact): boolean => typeof number === 'number' || number.d === 1n

/** Steps of a product or quotient of integers with this number of digits together. */
export const productSteps = (bits: number): number => 2 + Math.floor((bits / 64) ** 2 / 32)

/** Steps of Euclid's algorithm for two integers with this number of digits; the last 53 are fast. */
export const divisorSteps = (bits: number): number => 8 + Math.floor(Math.max(0, bits - 53) * 0.6 * (2 + bits / 512))

/** Takes the steps of an operator's work on two numbers with its result. */
export function spendOnResult(frame: Frame, a: Exact, b: Exact, result: Exact): void {
  if (typeof a === 'number' && typeof b === 'number' && typeof result === 'number') return
  const bits = sizeOf(a) + sizeOf(b)
  spend(frame, isWhole(a) && isWhole(b) && isWhole(result) ? productSteps(bits) : divisorSteps(bits / 2))
}

/** Compares two numbers, for steps. */
export function orderFor(frame: Frame, a: Exact, b: Exact): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  spend(frame, productSteps(sizeOf(a) + sizeOf(b)))
  return order(a, b)
}

/** The exact value of a JSON number, for steps. */
export function exactlyFor(frame: Frame, value: Exact): Exact {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const result = exactly(value)
  // The exponent is the work: 10 to its power is a divisor.
  spend(frame, divisorSteps(sizeOf(result)))
  return result
}

/** Takes the steps of reading one digit, or all, of a number. */
export function spendOnDigits(frame: Frame, number: Exact): void {
  if (typeof number !== 'number') spend(frame, productSteps(sizeOf(number)))
}
