import { FormulaError } from './formula-error.ts'
import type { Value } from './value.ts'

/** What one evaluation owns. `steps`: how many are left; each element of a loop or search and each call takes one. */
export interface Frame {
  readonly slots: Value[]
  steps: number
  /** Long lists that were searched, as sets. */
  readonly sets: Map<readonly Value[], ReadonlySet<Value>>
  /** Long lists of entries that were looked into, by their keys. */
  readonly tables: Map<readonly Value[], ReadonlyMap<Value, Value>>
}

/** A compiled formula. What it returns is of the type that the checker gave it. */
export type Code = (frame: Frame) => Value

/** Takes steps from the budget; throws a FormulaError where none are left. */
export function spend(frame: Frame, steps: number): void {
  frame.steps -= steps
  if (frame.steps < 0) throw new FormulaError('The computation takes too many steps.')
}
