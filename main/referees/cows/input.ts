import { z } from 'zod'

/** What a herder may do (spec 3.4.8), in the order of their numbers. */
export const actions = [
  'skip',
  'north',
  'northeast',
  'east',
  'southeast',
  'south',
  'southwest',
  'west',
  'northwest',
] as const
export const action = z.enum(actions)
export type HerderAction = z.infer<typeof action>

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
