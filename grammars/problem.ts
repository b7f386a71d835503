import type { ProblemCode } from './problem-codes.ts'

/** A position in a text: line and column from 1, columns in UTF-16 units, `offset` from 0. */
export interface Position {
  readonly line: number
  readonly column: number
  readonly offset: number
}

/** The replacement that repairs a problem: the text from offset `from` to offset `to`, exclusive, becomes `text`. */
export interface Remedy {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** A problem of a text in one sentence; `hint` says how to solve it, and `remedy` does if it can be done mechanically. */
export interface Problem {
  readonly at: Position
  readonly code: ProblemCode
  readonly message: string
  readonly hint?: string
  readonly remedy?: Remedy
  /** The included file with the problem; absent: the file that was read. */
  readonly file?: string
}
