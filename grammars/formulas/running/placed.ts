import { binary } from '../numbers/arithmetic.ts'
import type { Applied } from '../functions/built-in.ts'
import { FormulaError } from '../numbers/formula-error.ts'
import type { Frame } from './frame.ts'
import { spendOnDigits, spendOnResult } from './number-work.ts'
import { bitOf, floor, minus, order } from '../numbers/exact.ts'
import type { Exact } from '../numbers/exact.ts'
import { entryOf } from './search.ts'
import type { Arithmetic } from '../numbers/arithmetic.ts'
import { show } from '../numbers/value.ts'
import type { Value } from '../numbers/value.ts'

/** An operator that takes two numbers. */
export type BinaryOperator = keyof typeof binary

/** Applies an operator to two numbers; an error has the offset. */
export function computeAt(frame: Frame, operator: BinaryOperator, a: Exact, b: Exact, at: number): Exact {
  try {
    const result = binary[operator](a, b)
    spendOnResult(frame, a, b, result)
    return result
  } catch (error) {
    throw placed(error, at)
  }
}

/** Like `computeAt`, for one or more arguments. */
export function calculateAt(frame: Frame, operator: Arithmetic, args: readonly Exact[], at: number): Exact {
  const [first = 0, ...others] = args
  if (operator !== 'abs' && operator !== 'floor')
    return others.reduce((result, arg) => computeAt(frame, operator, result, arg, at), first)
  try {
    spendOnDigits(frame, first)
    if (operator === 'floor') return floor(first)
    return order(first, 0) < 0 ? minus(0, first) : first
  } catch (error) {
    throw placed(error, at)
  }
}

/** Is bit `row` of `bits` 1? */
export function bitAt(frame: Frame, bits: Exact, row: Exact, at: number): boolean {
  try {
    spendOnDigits(frame, bits)
    return bitOf(bits, row)
  } catch (error) {
    throw placed(error, at)
  }
}

/** The value of a function of the language. */
export function applyAt(frame: Frame, applied: Applied, args: readonly Value[], at: number): Value {
  try {
    return applied.run(frame, args)
  } catch (error) {
    throw placed(error, at)
  }
}

/** The value of the entry with a key. */
export function lookUpAt(frame: Frame, entries: readonly Value[], key: Value, at: number): Value {
  const found = entryOf(frame, entries, key)
  if (found === undefined) throw new FormulaError(`There is no entry for ${show(key)}.`, at)
  return found
}

/** Throws the error for a missing element of a list. */
export function absent(elements: readonly Value[], index: Exact, at: number): never {
  const shown = typeof index === 'number' ? index : 'with such a large number'
  throw new FormulaError(`There is no element ${shown} in a list of ${elements.length}.`, at)
}

/** The error with an offset, unless it already has one. */
function placed(error: unknown, at: number): unknown {
  return error instanceof FormulaError ? error.placed(at) : error
}
