import { dirname, join } from 'node:path'
import type { Problem, Remedy } from '../../../grammars/problem.ts'

/** A problem and the file that it is in, for people and for JSON. */
export interface PlacedProblem {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The kind of the problem, for programs. */
  readonly code?: string
  readonly message: string
  readonly hint?: string
  /** The replacement that repairs it, with offsets in the file. */
  readonly remedy?: Remedy
}

export type CodedProblem = PlacedProblem & { readonly code: string }

/**
 * Locates the problems of a text in `file`. A problem in an included file names that file; `place`: the path of an included file, by
 * default in the same folder.
 */
export function placeProblems(
  problems: readonly Problem[],
  file: string,
  place: (included: string) => string = (included) => join(dirname(file), included),
): readonly PlacedProblem[] {
  return problems.map(({ at, code, message, hint, remedy, file: included }) => ({
    file: included === undefined ? file : place(included),
    line: at.line,
    column: at.column,
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(remedy === undefined ? {} : { remedy }),
  }))
}

/** The same with a code for each, as checks tell them to programs. */
export function placeWithCodes(...given: Parameters<typeof placeProblems>): readonly CodedProblem[] {
  const [problems] = given
  return placeProblems(...given).map((placed, index) => ({ ...placed, code: problems[index]!.code }))
}

/** `file:line:column: message` */
export function problemLine({ file, line, column, message }: PlacedProblem): string {
  return `${file}:${line}:${column}: ${message}`
}
