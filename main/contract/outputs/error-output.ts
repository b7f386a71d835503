import * as z from 'zod'
import { errorCodes } from '../error-codes.ts'

/** The object that every verb prints with --json when it fails. `details`: lines below the sentence, such as a compiler's log. */
export const errorOutput = z.strictObject({
  error: z.string(),
  code: z.enum(errorCodes),
  details: z.string().optional(),
})
export type ErrorOutput = z.output<typeof errorOutput>
