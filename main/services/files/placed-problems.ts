import { dirname, join } from 'node:path'
import type { Problem } from '../../../grammars/problem.ts'

/** A problem and the file that it is in, for people and for JSON. */
export interface PlacedProblem {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
  readonly hint?: string
}

/**
 * Locates the problems of a text in `file`. A problem in an included file names that file, which is in the same folder.
 */
export function placeProblems(problems: readonly Problem[], file: string): readonly PlacedProblem[] {
  return problems.map(({ at, message, hint, file: included }) => ({
    file: included === undefined ? file : join(dirname(file), included),
    line: at.line,
    column: at.column,
    message,
    ...(hint === undefined ? {} : { hint }),
  }))
}

/** `file:line:column: message` */
export function problemLine({ file, line, column, message }: PlacedProblem): string {
  return `${file}:${line}:${column}: ${message}`
}
