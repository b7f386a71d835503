/** A position in a text: line and column from 1, columns in UTF-16 units, `offset` from 0. */
export interface Position {
  readonly line: number
  readonly column: number
  readonly offset: number
}

/** A problem of a text in one sentence; `hint` says how to solve it. */
export interface Problem {
  readonly at: Position
  readonly message: string
  readonly hint?: string
  /** The included file with the problem; absent: the file that was read. */
  readonly file?: string
}
