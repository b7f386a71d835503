import { expectedError } from '../administrator/procedures/call-error.ts'

/** For work that nobody waits for: what a person would be told is passed over; what nobody expected is thrown on. */
export function ignoreExpectedErrors(error: unknown): void {
  if (expectedError(error) === null) throw error
}
