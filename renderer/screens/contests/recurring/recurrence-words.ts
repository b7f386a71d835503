import type { Recurrence, RecurringEntrants } from '../../../../main/contract/contests/recurring.ts'
import { count, weekday } from '../../../words.ts'

/** A user's choices for a recurring contest. */
export type RecurrenceWish = Recurrence & { readonly title: string; readonly entrants: RecurringEntrants }

/** The days of the week, Monday first. */
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const

/** The weekday of a moment by the clock of this machine, Monday 1. */
export const weekdayOf = (moment: Date): number => moment.getDay() || 7

/** The start times of a recurring contest: `Daily at 08:00`, `Mon, Thu at 08:00`. */
export function recurrenceWords({ days, time }: Recurrence): string {
  return `${days.length === weekdays.length ? 'Daily' : days.map((day) => weekday(day)).join(', ')} at ${time}`
}

/** The entrants in words. `agents`: their number. */
export function entrantsWords(entrants: RecurringEntrants, agents: number): string {
  const who = count(agents, 'agent')
  return entrants === 'all' ? `all agents of the game, ${who} now` : who
}
