import { expectedError } from '../../administrator/procedures/call-error.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { plainSentence } from '../../contract/plain-sentence.ts'

/**
 * Why a hand-in was refused or could not be judged, for its team: the sentence about their file. Problems of the machine and errors of
 * the program are the educator's, and their words may hold paths and code.
 */
export function reasonForTeam(error: unknown): string {
  const expected = expectedError(error)
  if (expected === null) return 'An error of the program prevented it; tell your educator.'
  return expected.code === 'host' ? 'The machine of the class had a problem; tell your educator.' : expected.message
}

/**
 * Why a file could not be read through no fault of its own: `machine`, such as a full disk; `closed`: the class was closed; `reader`: the
 * process that read it has ended, perhaps by what it read. null: the file is wrong, or the error is unexpected.
 */
export function preventedBy(error: unknown): 'machine' | 'closed' | 'reader' | null {
  if (error instanceof ExpectedError && error.kind === 'stopped') return 'closed'
  if (expectedError(error)?.code !== 'host') return null
  return error instanceof ExpectedError && error.code === 'system-error' ? 'reader' : 'machine'
}

/** A kept reason, which an older version may have written as it was. */
export function keptReason(reason: string | null): string | null {
  return reason === null ? null : plainSentence(reason)
}
