import { LimitError } from '../numbers/formula-error.ts'
import type { Value } from '../numbers/value.ts'

/** A whole number from 0 to n - 1, each with equal probability; n from 1 to 2^53. */
export type Below = (n: number) => number

/**
 * The state of one evaluation. `steps`: the remaining budget; each element of a list, loop or search and each call takes
 * one, and numbers of many digits take more.
 */
export interface Frame {
  readonly slots: Value[]
  steps: number
  /** The nesting of functions that call themselves, in levels as in an Extent. */
  depth: number
  /** Sets of long lists that were searched. */
  readonly sets: Map<readonly Value[], ReadonlySet<Value>>
  /** Tables, by key, of long lists of entries that were searched. */
  readonly tables: Map<readonly Value[], Map<Value, Value>>
  /** The chance of a generator; absent in all other evaluations, which depend on their inputs alone. */
  readonly below?: Below
}

/** A compiled formula. Its result has the type that the checker determined. */
export type Code = (frame: Frame) => Value

/** The steps for making a list, in addition to one for each element: an empty list, too, takes memory. */
export const LIST_STEPS = 4

/** Takes steps from the budget; throws a LimitError if it is used up. */
export function spend(frame: Frame, steps: number): void {
  frame.steps -= steps
  if (frame.steps < 0) throw new LimitError('The computation takes too many steps.')
}
