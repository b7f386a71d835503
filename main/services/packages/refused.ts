import { ExpectedError } from '../../contract/expected-error.ts'

/** The error for a file that is not accepted as an agent. `why`: the end of its sentence, after a colon. */
export function refused(fileName: string, why: string): ExpectedError {
  return new ExpectedError('usage', 'package-refused', `${fileName} cannot be accepted: ${why}.`)
}
