import * as z from 'zod'
import { action } from './messages.ts'

/** The change of x and of y by an action's number. */
export const stepX = [0, 0, 1, 1, 1, 0, -1, -1, -1] as const
export const stepY = [0, -1, -1, 0, 1, 1, 1, 0, -1] as const

/** One step of everybody. `actions`: by seat and body; null: no answer in time, which counts as a skip. */
export const input = z.strictObject({
  type: z.literal('step'),
  step: z.int().min(0),
  actions: z.array(z.array(action.nullable()).max(20)).length(2),
})
export type Input = z.infer<typeof input>
