import type { ProblemCode } from '../../problem-codes.ts'
import type { Remedy } from '../../problem.ts'

/** A problem at an offset of a text. */
export interface FormulaFault {
  readonly at: number
  readonly code: ProblemCode
  readonly message: string
  readonly hint?: string
  readonly remedy?: Remedy
}
