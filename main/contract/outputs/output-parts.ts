import * as z from 'zod'

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
