import * as z from 'zod'
import type { PersonId } from './people.ts'

/** After how long the class reminds its educator that data are due. 0: never. Nothing is deleted by itself. */
export const retention = z.strictObject({
  /** Days after which somebody who has left is due to be erased. */
  leftDays: z.int().min(0).max(3_650),
  /** Months after which a contest that is over is due to be deleted with its histories. */
  contestMonths: z.int().min(0).max(240),
  /** Months without a hand-in, a contest or a new person, after which the whole class is due. */
  classMonths: z.int().min(0).max(240),
})
export type Retention = z.infer<typeof retention>

export const noRetention: Retention = { leftDays: 0, contestMonths: 0, classMonths: 0 }

/** The data that are due at a time. */
export interface DueData {
  readonly left: readonly { readonly person: PersonId; readonly name: string; readonly since: string }[]
  readonly contests: readonly { readonly contest: string; readonly title: string; readonly since: string }[]
  /** The time of the last thing that happened in the class; null: the class is not due. */
  readonly classSince: string | null
}
