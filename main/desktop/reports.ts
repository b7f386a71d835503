import { app, dialog } from 'electron'
import { expectedError } from '../administrator/procedures/call-error.ts'

/** Shows an error in one sentence and exits. */
export function fail(error: unknown): void {
  dialog.showErrorBox('Tartaglia cannot continue', sentenceOf(error, 'the start'))
  app.exit(1)
}

/** The sentence of an error for people. One that nobody expected is written to stderr, too. */
export function sentenceOf(error: unknown, doing: string): string {
  const expected = expectedError(error)
  if (expected === null) report(error, doing)
  return expected?.message ?? String(error)
}

/** Writes an error that nobody expected to stderr. */
export function report(error: unknown, doing: string): void {
  process.stderr.write(`${doing}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
}
