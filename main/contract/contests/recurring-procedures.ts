import * as z from 'zod'
import type { ContestSummary } from '../procedures/answers.ts'
import { contestDescription, type ContestDescription } from './contests.ts'
import { contestId, type ContestId, type GameId } from '../ids.ts'
import { nothing, procedure } from '../procedures/procedure.ts'
import {
  recurrence,
  recurringEntrants,
  type Recurrence,
  type RecurringEntrants,
  type SkippedTime,
} from './recurring.ts'

/** A recurring contest in the list of them. Times are ISO 8601, UTC. */
export interface RecurringSummary extends Recurrence {
  readonly id: ContestId
  readonly title: string
  readonly game: GameId
  readonly entrants: RecurringEntrants
  /** The number of listed agents; of all that would play now otherwise. */
  readonly agents: number
  readonly paused: boolean
  /** When the next contest begins; null: it is paused. */
  readonly next: string | null
  /** Its contests, newest first, at most the newest `LISTED_OCCURRENCES`. */
  readonly contests: readonly ContestSummary[]
  /** The number of all its contests. */
  readonly occurrences: number
  /** Times at which no contest began, newest first. */
  readonly skipped: readonly SkippedTime[]
}

/** The recurring contests, and the time zone by whose clocks they begin. */
export interface RecurringList {
  readonly timeZone: string
  readonly recurring: readonly RecurringSummary[]
}

/** How many contests of a recurring one a list has. */
export const LISTED_OCCURRENCES = 5

const oneRecurring = z.strictObject({ recurring: contestId })

/** Decisions of people about a recurring contest, beside its settings. */
const choices = { ...recurrence.shape, entrants: recurringEntrants }

const change = z.strictObject({
  recurring: contestId,
  title: contestDescription.shape.title,
  ...choices,
  paused: z.boolean(),
})
export type RecurringChange = z.infer<typeof change>

/** Contests that begin by themselves, daily or on days of the week, while the classroom is open. */
export const recurringProcedures = {
  'recurring.list': procedure<z.infer<typeof nothing>, RecurringList>(nothing),
  /** Refused if a person, or an agent on another machine, plays, or the contest asks for a phrase of the class. */
  'recurring.add': procedure<
    Recurrence & { draft: ContestDescription; entrants: RecurringEntrants },
    { readonly recurring: ContestId }
  >(z.strictObject({ draft: contestDescription, ...choices })),
  /** Like `recurring.add`, with the settings and entrants of a contest. */
  'recurring.repeat': procedure<
    Recurrence & { contest: string; title: string; entrants: RecurringEntrants },
    { readonly recurring: ContestId }
  >(z.strictObject({ contest: contestId, title: contestDescription.shape.title, ...choices })),
  /** Times up to now are over then: nothing is made up for. */
  'recurring.edit': procedure<RecurringChange, null>(change),
  /** Its contests remain. */
  'recurring.remove': procedure<{ recurring: string }, null>(oneRecurring),
  /** Begins a contest of it now, beside those of its times. Refused while one of its contests runs. */
  'recurring.run': procedure<{ recurring: string }, { readonly contest: ContestId }>(oneRecurring),
} as const
