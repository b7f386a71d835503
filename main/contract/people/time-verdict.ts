import type { Deadline, LateDays } from './closing-time.ts'
import type { PersonId } from './people.ts'

/** The verdict on the time of a hand-in. */
export type TimeVerdict =
  | { readonly is: 'on-time' }
  /** `uses`: the late days of this hand-in, in addition to those that the team has used for the contest; null: none more. */
  | { readonly is: 'late'; readonly days: number; readonly uses: LateDays | null }
  | { readonly is: 'kept'; readonly because: string }

const DAY = 24 * 60 * 60 * 1_000

/**
 * The verdict on a hand-in at a time, both times in ms since the epoch. A begun day after the closing time is a late day of 24 hours. A team uses the days of the member
 * who has most left; days that the team has used for this contest already count for all its later hand-ins. `daysLeft`: of each
 * member. `used`: by this team for this contest. A hand-in that is too late is kept and does not count.
 */
export function verdictOnHandIn(
  now: number,
  closing: number,
  { contest, late }: Pick<Deadline, 'contest' | 'late'>,
  daysLeft: ReadonlyMap<PersonId, number>,
  used: number,
): TimeVerdict {
  if (now <= closing) return { is: 'on-time' }
  if (late === 'closed') return { is: 'kept', because: 'The contest is closed for this team, and has no late days.' }
  const days = Math.ceil((now - closing) / DAY)
  const more = days - used
  if (more <= 0) return { is: 'late', days, uses: null }
  let bearer: PersonId | null = null
  let most = 0
  for (const [person, left] of daysLeft) if (left > most) [bearer, most] = [person, left]
  if (bearer === null || most < more)
    return {
      is: 'kept',
      because: `It needs ${counted(more)}, and no member of the team has more than ${most} left.`,
    }
  return { is: 'late', days, uses: { contest, days: more, of: bearer } }
}

const counted = (days: number): string => (days === 1 ? '1 late day' : `${days} late days`)

/** The verdict as a sentence for the team, before or after handing in. */
export function verdictSentence(verdict: TimeVerdict): string {
  if (verdict.is === 'on-time') return 'On time.'
  if (verdict.is === 'kept') return `Too late: it is kept and does not count. ${verdict.because}`
  if (verdict.uses === null) return 'Late, within the late days that the team has used for this contest.'
  return `Late: it uses ${counted(verdict.uses.days)} of the team.`
}
