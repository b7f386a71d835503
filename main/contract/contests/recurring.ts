import * as z from 'zod'
import { contestDescription } from './contests.ts'
import { moment } from './contest-phases.ts'
import { contestId } from '../ids.ts'

/** Days of the week, 1 (Monday) to 7 (Sunday), as in ISO 8601, in ascending order; all seven: daily. */
const weekdays = z
  .array(z.int().min(1).max(7))
  .min(1)
  .max(7)
  .refine((days) => days.every((day, at) => at === 0 || day > days[at - 1]!), 'expected ascending days, each once')

/** A time that was missed longer ago is not made up for. ms. */
export const LATE_MAX = 24 * 3_600_000

/** When a recurring contest begins, by the clocks of the class's time zone. */
export const recurrence = z.strictObject({
  days: weekdays,
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time of day such as 08:00'),
})
export type Recurrence = z.infer<typeof recurrence>

/** The players: all agents of the class that play the game, or the listed ones; each in its version of that time. */
export const recurringEntrants = z.enum(['all', 'listed'])
export type RecurringEntrants = z.infer<typeof recurringEntrants>

/** The maximum number of times without a contest that are kept; the newest remain. */
export const SKIPPED_MAX = 20

/** The maximum number of characters of a reason. */
export const SENTENCE_MAX = 8_000
const sentence = z.string().max(SENTENCE_MAX)

/** Why no contest began at a time. */
const skipped = z.strictObject({ at: moment, why: sentence })
export type SkippedTime = z.infer<typeof skipped>

/** A contest that is played again and again, each time as a contest of its own with a seed of its own. */
export const recurringContest = z.strictObject({
  id: contestId,
  /**
   * The contest that recurs. Its title begins those of the contests, its seed is not used, and of its entrants only those that are
   * listed count, as the agents that they were.
   */
  description: contestDescription,
  entrants: recurringEntrants,
  ...recurrence.shape,
  /** Times up to this one are over: a contest began, or none did. */
  until: moment,
  paused: z.literal(true).exactOptional(),
  /** Oldest first. */
  skipped: z.array(skipped).max(SKIPPED_MAX),
})
export type RecurringContest = z.infer<typeof recurringContest>

/** The maximum number of left out agents that are named. */
export const LEFT_OUT_MAX = 100

/** The recurring contest and the time that a contest was made for, and the agents that could not play in it. */
export const occurrence = z.strictObject({
  of: contestId,
  at: moment,
  /** A sentence for each agent that does not play. */
  leftOut: z.array(sentence).max(LEFT_OUT_MAX),
})
export type Occurrence = z.infer<typeof occurrence>

/** A name of the IANA time zone database, such as Europe/Zurich; empty: that of the machine. */
export const timeZone = z
  .string()
  .max(64)
  .refine((name) => name === '' || isTimeZone(name), 'expected a time zone such as Europe/Zurich')

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
