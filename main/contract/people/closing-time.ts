import * as z from 'zod'
import { contestId, type ContestId } from '../ids.ts'
import { line } from '../players/line.ts'
import { personId, type PersonId } from './people.ts'
import { teamId, type TeamId } from './teams.ts'

// Closing times and late days: pure functions of recorded facts and a time that is handed in. The server, the screens of all members
// of a team, and the educator's screens use these and nothing else, so that everybody reads the same time and the same sentence.

/** The maximum of late days of a student in a term, and of extensions in a class. */
export const LATE_DAYS_MAX = 60
export const EXTENSIONS_MAX = 100_000

/** The policy on agents that are handed in after the closing time. `late-days`: they count while the team has late days left. */
const latePolicy = z.enum(['closed', 'late-days'])

/** A time in UTC with milliseconds: one spelling only, so that texts are in the order of their times. */
const time = z.iso.datetime({ precision: 3 })

/** The deadline of a contest. */
export const deadline = z.strictObject({
  contest: contestId,
  closes: time,
  late: latePolicy,
})
export type Deadline = z.infer<typeof deadline>

/**
 * More time for a person or a team in one contest. Among several for the same person or team in a contest, the one that was granted last
 * counts: an educator can take one back by granting a shorter one.
 */
export const extension = z.strictObject({
  of: z.discriminatedUnion('who', [
    z.strictObject({ who: z.literal('person'), person: personId }),
    z.strictObject({ who: z.literal('team'), team: teamId }),
  ]),
  contest: contestId,
  until: time,
  /** For educators and assistants. It may be private, so no sentence for a team repeats it. */
  reason: line,
  /** null: the person at the program's machine. */
  by: personId.nullable(),
  at: z.iso.datetime(),
})
export type Extension = z.infer<typeof extension>

/** A team as far as closing times and late days depend on it. */
export interface TeamMembers {
  readonly id: TeamId
  readonly members: readonly PersonId[]
  /** These two: see `Team`. Absent: its members have always been in it. */
  readonly formed?: string
  readonly joined?: Readonly<Record<PersonId, string>>
}

/** The closing time of a team. */
export interface ClosingTime {
  /** ISO 8601, UTC, with milliseconds. */
  readonly at: string
  /** The reason, a sentence for the team and for educators. It names no member. */
  readonly because: string
}

/**
 * The time until which a team may hand in for a contest: the deadline, or the latest extension of the team or of one of its members.
 * An extension never shortens the time. A hand-in at the very time is on time.
 */
export function closingTime(
  { contest, closes }: Pick<Deadline, 'contest' | 'closes'>,
  team: TeamMembers,
  extensions: readonly Extension[],
): ClosingTime {
  let closing: ClosingTime = { at: closes, because: 'This is the deadline of the contest.' }
  for (const extension of extensionsInForce(extensions, contest)) {
    const { of, until: at } = extension
    if (!concernsTeam(extension, closes, team) || at <= closing.at) continue
    const because =
      of.who === 'team'
        ? 'The team has an extension.'
        : 'A member of the team has an extension, which counts for the whole team.'
    closing = { at, because }
  }
  return closing
}

/**
 * True if an extension counts for a team: it is the team's own, or that of a member who was in the team at the deadline, or, if it was
 * granted later, when it was granted. Nobody lends an extension to a team by joining it afterwards. `closes`: the deadline.
 */
export function concernsTeam({ of, at }: Pick<Extension, 'of' | 'at'>, closes: string, team: TeamMembers): boolean {
  if (of.who === 'team') return of.team === team.id
  if (!team.members.includes(of.person)) return false
  const since = team.joined?.[of.person] ?? team.formed
  // Times in UTC are in the order of their texts.
  return since === undefined || since <= closes || since <= at
}

/**
 * The members of a team whose late days count: those with whom it was formed, and those who had joined by its closing time. Nobody lends
 * late days to a team by joining it afterwards. `closing`: the team's closing time.
 */
export function membersInTime({ members, joined }: TeamMembers, closing: string): readonly PersonId[] {
  return members.filter((person) => (joined?.[person] ?? '') <= closing)
}

/** The extensions of a contest that count: the last one of each person and of each team. */
export function extensionsInForce(extensions: readonly Extension[], contest: ContestId): Iterable<Extension> {
  const last = new Map<string, Extension>()
  for (const each of extensions) {
    if (each.contest !== contest) continue
    const key = each.of.who === 'team' ? `team ${each.of.team}` : `person ${each.of.person}`
    last.set(key, each)
  }
  return last.values()
}

/** Late days that a hand-in uses, and the member whose days they are. */
export const lateDays = z.strictObject({
  contest: contestId,
  days: z.int().min(1).max(LATE_DAYS_MAX),
  of: personId,
})
export type LateDays = z.infer<typeof lateDays>

/**
 * The late days that a person has left in a term. `used`: of all their hand-ins in the term that count, those whose trial failed left
 * out.
 */
export function lateDaysLeft(inTerm: number, person: PersonId, used: readonly LateDays[]): number {
  const mine = used.filter(({ of }) => of === person)
  return Math.max(
    0,
    mine.reduce((left, { days }) => left - days, inTerm),
  )
}

/** A version of a team's agent, as far as it decides which one plays. */
export interface CandidateVersion {
  /** ms since the epoch. */
  readonly handedIn: number
  readonly trial: 'passed' | 'failed' | 'none'
  /** False: it was too late, was withdrawn, or is paused by the educator. */
  readonly counts: boolean
}

/**
 * The version that plays from the closing time of a contest on: the newest one that was handed in by then, counts, and passed its
 * trial; if there is none, the last active one. `versions`: oldest first. `closing` is later than the closing time when a late version
 * that counts has passed its trial.
 */
export function candidateAt<V extends CandidateVersion>(
  versions: readonly V[],
  closing: number,
  active: V | null,
): V | null {
  const fit = versions.findLast(({ handedIn, trial, counts }) => counts && trial === 'passed' && handedIn <= closing)
  return fit ?? active
}
