import type { PlacedProblem } from '../services/files/placed-problems.ts'
import type { ErrorCode } from '../contract/error-codes.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import type { Context } from './context.ts'
import { safeLine } from './text.ts'

/** The result of checking one file. */
export interface CheckedFile {
  readonly file: string
  readonly ok: boolean
  readonly errors: readonly PlacedProblem[]
  /** `fatal`: the file is not fine because of it. */
  readonly warnings?: readonly (PlacedProblem & { readonly fatal?: boolean })[]
}

/** A file that cannot be read. */
interface UncheckedFile extends CheckedFile {
  readonly ok: false
  readonly code: ErrorCode
}

/**
 * Checks files one after the other and prints a line for each, with what `describe` adds, or with --json an object for each, by `output`.
 * Exit code 0 if all are fine, 1 if one is not, 2 if one cannot be read; the remaining files are checked in any case.
 */
export async function checkFiles<V extends CheckedFile>(
  { terminal, done }: Context,
  files: readonly string[],
  examine: (file: string) => Promise<V>,
  output: (verdict: V | UncheckedFile) => void,
  describe: (verdict: V) => readonly string[] = () => [],
): Promise<void> {
  let code = 0
  for (const file of files) {
    try {
      const verdict = await examine(file)
      output(verdict)
      if (verdict.ok) terminal.print(`${safeLine(file)}: ${terminal.paint('green', 'fine')}`)
      for (const problem of verdict.errors) tell(problem, '')
      for (const problem of verdict.warnings ?? [])
        tell(
          problem,
          problem.fatal === true ? terminal.paint('red', 'not playable: ') : terminal.paint('yellow', 'warning: '),
        )
      terminal.print(...describe(verdict))
      if (!verdict.ok) code = Math.max(code, 1)
    } catch (error) {
      if (!(error instanceof ExpectedError) || error.kind !== 'usage') throw error
      terminal.note(error.message)
      output({
        file,
        ok: false,
        code: error.code,
        errors: [{ file, line: 1, column: 1, message: error.message }],
      })
      code = 2
    }
  }
  done(code)

  function tell({ file, line, column, message, hint }: PlacedProblem, kind: string): void {
    const place = safeLine(`${file}:${line}:${column}:`)
    terminal.print(`${terminal.paint('bold', place)} ${kind}${safeLine(message)}`)
    if (hint !== undefined) terminal.print(`    ${safeLine(hint)}`)
  }
}
