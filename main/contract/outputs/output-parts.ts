import * as z from 'zod'
import { errorCodes } from '../error-codes.ts'

// Parts that outputs of several verbs have.

/** Any JSON. */
export const anyJson = z.unknown()

export const explanation = z.strictObject({
  text: z.string(),
  value: z.number(),
  isDropped: z.boolean(),
  parts: z.array(anyJson),
})

export const unreadable = z.strictObject({ contests: z.array(z.string()), cases: z.array(z.string()) })

export const stage = z.enum([
  'ruling',
  'filed',
  'answer',
  'election',
  'hearing',
  'voting',
  'opening',
  'appeal',
  'draw',
  'closed',
])

export const caseOutcome = z.enum(['withdrawn', 'open', 'dismissed', 'upheld', 'rejected', 'unheard'])

/** The verdict on the record of a case that holds. */
export const genuineCase = z.strictObject({
  file: z.string(),
  ok: z.literal(true),
  case: z.string(),
  entries: z.number(),
  head: z.string(),
  stage,
  outcome: caseOutcome,
  signer: z.strictObject({ name: z.string().nullable(), fingerprint: z.string() }),
})

/** The place and the reason at which the record of a case does not hold. */
export const brokenCase = z.strictObject({
  file: z.string(),
  ok: z.literal(false),
  line: z.number(),
  message: z.string(),
})

export const entrySchool = z.strictObject({ name: z.string(), fingerprint: z.string(), trusted: z.boolean() })

/** A problem of a text: its file, the line and the column from 1, and the replacement that repairs it. */
const placedProblem = z.strictObject({
  file: z.string(),
  line: z.number(),
  column: z.number(),
  code: z.string().optional(),
  message: z.string(),
  hint: z.string().optional(),
  remedy: z.strictObject({ from: z.number(), to: z.number(), text: z.string() }).optional(),
})

/** `fatal`: the game of the file cannot be played. */
export const placedFinding = placedProblem.extend({ fatal: z.boolean().optional() })

export const checkedText = z.strictObject({ file: z.string(), ok: z.boolean(), errors: z.array(placedProblem) })

/** A file that cannot be read, where others are checked. */
export const uncheckedText = checkedText.extend({ ok: z.literal(false), code: z.enum(errorCodes) })

/** A document with a JSON Schema. */
export const schemaOutput = z.looseObject({ $schema: z.string() })
