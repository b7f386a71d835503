import { ExpectedError } from '../../contract/expected-error.ts'

/** The error for a file that is not an agent; `why` follows a colon. */
export function refused(fileName: string, why: string): ExpectedError {
  return new ExpectedError('usage', `${fileName} cannot be taken: ${why}.`)
}
