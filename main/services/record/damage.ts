import { ExpectedError } from '../../contract/expected-error.ts'

/** The codes of SQLite for a damaged database, and for a file of another kind. */
const damages: ReadonlySet<unknown> = new Set([11, 26])

/** The error for a person if SQLite has found that a database of a contest is damaged; null: it has another reason. */
export function damageOf(error: unknown): ExpectedError | null {
  // The low byte is the kind of problem.
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null
  if (!damages.has(code)) return null
  return new ExpectedError(
    'host',
    'stored-file-damaged',
    'The database of the contest is damaged: `tartaglia mine` with --rebuild makes it again from the histories.',
  )
}
