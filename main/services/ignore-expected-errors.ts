import { expectedError } from '../administrator/procedures/call-error.ts'

/** For background work: ignores expected errors and rethrows all others. */
export function ignoreExpectedErrors(error: unknown): void {
  if (expectedError(error) === null) throw error
}
