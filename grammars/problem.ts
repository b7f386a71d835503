/** A place in a text: line and column count from 1, columns in UTF-16 units, `offset` from 0. */
export interface Position {
  readonly line: number
  readonly column: number
  readonly offset: number
}

/** One thing wrong with a text, in one clear sentence; `hint` says what to do about it. */
export interface Problem {
  readonly at: Position
  readonly message: string
  readonly hint?: string
  /** The included file that it is in; absent: the file that was read. */
  readonly file?: string
}
