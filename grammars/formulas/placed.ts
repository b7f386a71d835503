import { binary, calculate } from './arithmetic.ts'
import { FormulaError } from './formula-error.ts'
import type { Frame } from './frame.ts'
import { bitOf } from './numbers.ts'
import type { Exact } from './numbers.ts'
import { entryOf } from './search.ts'
import type { Arithmetic } from './typed.ts'
import { show } from './value.ts'
import type { Value } from './value.ts'

/** An operator that takes two numbers. */
export type Binary = keyof typeof binary

/** Applies an operator to two numbers; if there is no result, the error has the offset. */
export function computeAt(operator: Binary, a: Exact, b: Exact, at: number): Exact {
  try {
    return binary[operator](a, b)
  } catch (error) {
    throw placed(error, at)
  }
}

/** Like `computeAt`, for one or more arguments. */
export function calculateAt(operator: Arithmetic, args: readonly Exact[], at: number): Exact {
  try {
    return calculate(operator, args)
  } catch (error) {
    throw placed(error, at)
  }
}

/** Is bit `row` of `bits` 1? */
export function bitAt(bits: Exact, row: Exact, at: number): boolean {
  try {
    return bitOf(bits, row)
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
  return error instanceof FormulaError && error.at === null ? new FormulaError(error.message, at) : error
}
