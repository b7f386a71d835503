import { verdictSentence } from '../../../main/contract/people/time-verdict.ts'
import type { TeamDeadline } from '../../../main/contract/people/team-procedures.ts'
import { count, span } from '../../words.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The time left until a closing time, given in ms, in at most two units: `2 days 3 h`, `59 min 3 s`. */
export function timeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1_000) * 1_000
  if (seconds < DAY) return span(seconds)
  const hours = Math.floor((seconds % DAY) / HOUR)
  return `${count(Math.floor(seconds / DAY), 'day')}${hours === 0 ? '' : ` ${hours} h`}`
}

/**
 * The verdict on a hand-in now, as far as it is worth showing; null: nothing is. The one that was made before the closing time says
 * nothing once that has come. `left`: the time until then, in ms.
 */
export function verdictNow({ verdict, now }: TeamDeadline, closes: string, left: number): string | null {
  if (Date.parse(now) > Date.parse(closes)) return verdict
  // Before the closing time anything but this is news: the contest has begun, or its entries are closed.
  return left > 0 && verdict !== verdictSentence({ is: 'on-time' }) ? verdict : null
}

/** The announcements, by the time left in ms. */
const announcements: readonly (readonly [number, string])[] = [
  [0, 'The time for handing in is over.'],
  [MINUTE, 'Less than a minute is left to hand in.'],
  [10 * MINUTE, 'Less than ten minutes are left to hand in.'],
  [HOUR, 'Less than an hour is left to hand in.'],
  [DAY, 'Less than a day is left to hand in.'],
]

/** The announcement of screen readers at a time left in ms: five in all, so that they do not disturb. '': nothing yet. */
export function announcement(ms: number): string {
  return announcements.find(([most]) => ms <= most)?.[1] ?? ''
}
