import type * as z from 'zod'
import { complaintSentence, parsePlainly } from '../contract/complaints.ts'
import { ExpectedError } from '../contract/expected-error.ts'

/**
 * Checks settings and fills in those that are left out. Throws ExpectedError 'usage'; `refusal` begins its sentence, such as
 * "The map cannot be made".
 */
export function checkedSettings<T>(schema: z.ZodType<T>, settings: object, refusal: string): T {
  const parsed = parsePlainly(schema, settings)
  if (!parsed.ok)
    throw new ExpectedError('usage', 'settings-invalid', `${refusal}: ${complaintSentence(parsed.complaint)}`)
  return parsed.value
}
