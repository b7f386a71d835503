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
