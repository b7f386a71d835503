import { FormulaError, LimitError } from '../numbers/formula-error.ts'
import type { Frame } from './frame.ts'
import type { Value } from '../numbers/value.ts'

/** The budget of one evaluation: each element of a list, loop or search and each call is a step, and more if it is long. */
export const STEPS = 10_000_000

/**
 * A value, or why there is none; `at`: the offset in the formula's text, if known; `limit`: true if the reason is a limit
 * of the language.
 */
export type Evaluated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly at: number | null; readonly message: string; readonly limit: boolean }

/**
 * Runs compiled code. `size`: the number of the program's slots; `inputs` fill the first of them: numbers among the
 * inputs are exact, those inside them as in JSON. Always terminates; never throws.
 */
export function evaluate<T>(
  code: (frame: Frame) => T,
  size: number,
  inputs: readonly Value[],
  steps = STEPS,
): Evaluated<T> {
  const slots: Value[] = [...inputs]
  while (slots.length < size) slots.push(null)
  try {
    return { ok: true, value: code({ slots, steps, sets: new Map(), tables: new Map() }) }
  } catch (error) {
    if (error instanceof FormulaError) {
      return { ok: false, at: error.at, message: error.message, limit: error instanceof LimitError }
    }
    throw error
  }
}
