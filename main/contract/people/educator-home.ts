import type { ContestState } from '../procedures/contest-answers.ts'
import type { ContestId, MatchNumber } from '../ids.ts'
import * as z from 'zod'
import { nothing, procedure } from '../procedures/procedure.ts'
import type { ClosingTime, Deadline } from './closing-time.ts'
import type { FirstStep } from './first-steps.ts'
import type { AttemptState } from './hand-in.ts'
import type { PersonId } from './people.ts'
import type { TeamId } from './teams.ts'

/** A student on the educator's home. */
export interface HomeStudent {
  readonly person: PersonId
  readonly name: string
  /** null: in no team. */
  readonly team: TeamId | null
  /** `no-code`: they cannot sign in. `code`: they have a code that they have not used. `account`: they have signed in. */
  readonly access: 'no-code' | 'code' | 'account'
  /** When they used one of their sessions last; null: they have none now. */
  readonly seen: string | null
}

/** The newest hand-in of a team. */
export interface HomeHandIn {
  readonly at: string
  readonly file: string
  readonly contest: ContestId | null
  readonly state: AttemptState
  /** Why it failed, was refused or is void, at most `REASON_MAX` characters; null: it was not. */
  readonly reason: string | null
}

/** The maximum length of a reason on the home; the team's page has all of it. */
export const REASON_MAX = 300

/** A team with members on the educator's home. */
export interface HomeTeam {
  readonly id: TeamId
  readonly name: string
  /** null: nothing was handed in yet. */
  readonly last: HomeHandIn | null
  /** True if it has an agent that passed its trial, whatever became of the newest hand-in. */
  readonly hasWorking: boolean
}

/** An extension that counts, with the name of the team or person that has it. */
export interface HomeExtension {
  readonly who: 'team' | 'person'
  readonly name: string
  readonly until: string
  readonly reason: string
  /** The team that has more time by it, with the time and the sentence that its members read; null: it is in none. */
  readonly closing: (ClosingTime & { readonly team: string }) | null
}

/** A contest with a deadline that has not begun, or whose deadline is not over for everybody. */
export interface HomeDeadline {
  readonly contest: ContestId
  readonly title: string
  readonly closes: string
  readonly late: Deadline['late']
  /** The teams that have handed in for it, late or not. */
  readonly teams: number
  /** The teams that have registered; null: the educator chooses the entrants. */
  readonly registered: number | null
  readonly extensions: readonly HomeExtension[]
}

/** Something that runs, or begins next. */
export interface HomeEvent {
  readonly contest: ContestId
  readonly title: string
  /** `recurring`: a contest that begins by itself. */
  readonly what: ContestState | 'recurring'
  /** When it begins; null: as soon as it can. */
  readonly at: string | null
}

/** A decision or a match that is being run again for a dossier, or waits for that. */
export interface HomeRerun {
  readonly request: string
  /** The person for whom it is; null: the one at this machine, or somebody who has left. */
  readonly name: string | null
  readonly contest: ContestId
  readonly match: MatchNumber
  readonly again: 'decision' | 'match'
}

/** The educator's home in one answer, which is small also for a large class: about 200 bytes a student. */
export interface EducatorHome {
  /** The time by the clock of the class. */
  readonly now: string
  /** The first steps that are done, by the state of the class. */
  readonly done: readonly FirstStep[]
  /** By name. */
  readonly students: readonly HomeStudent[]
  /** Teams with members, in the order in which they were formed. */
  readonly teams: readonly HomeTeam[]
  /** People who ask to join, the one who has waited longest first. */
  readonly asking: readonly { readonly person: PersonId; readonly name: string; readonly since: string }[]
  /** The next one first. */
  readonly deadlines: readonly HomeDeadline[]
  /** Hand-ins whose trials have not been played. `msEach`: the mean time between two trials; null: none was played. */
  readonly queue: { readonly waiting: number; readonly msEach: number | null }
  /** The first one first. */
  readonly reruns: readonly HomeRerun[]
  /** The disk of the data folder, in bytes; null: it cannot be asked. */
  readonly disk: { readonly free: number; readonly total: number } | null
  /** Running contests first, then in the order of their times. */
  readonly next: readonly HomeEvent[]
  /** Sentences about what has come to a standstill, such as receipts; usually none. Damage is among the notices of `class.overview`. */
  readonly notices: readonly string[]
  /** Sentences about what is new, such as a version of this program; usually none. */
  readonly news: readonly string[]
}

export const homeProcedures = {
  'home.get': procedure<z.infer<typeof nothing>, EducatorHome>(nothing),
  /** Stops a re-run of anybody; does nothing if it has ended. */
  'home.stopRerun': procedure<{ request: string }, null>(z.strictObject({ request: z.uuid() })),
} as const
