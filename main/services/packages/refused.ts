import { ExpectedError } from '../../contract/expected-error.ts'

/** A file that is no agent; `why` follows a colon. */
export function refused(fileName: string, why: string): ExpectedError {
  return new ExpectedError('usage', `${fileName} cannot be taken: ${why}.`)
}
