import * as z from 'zod'
import { contestId, entrantId, sha256Hex, type EntrantId } from '../ids.ts'
import { line } from '../players/line.ts'
import { teamId, type TeamId } from '../people/teams.ts'
import { oneContest, procedure } from '../procedures/procedure.ts'

// Teams register their agents for a contest that is announced to the class (section 2.2), until its deadline.

/** The maximum number of posts of an agent in a match, each with a credential of its own. */
const POSTS_MAX = 64

const registered = z.strictObject({
  team: teamId,
  entrant: entrantId,
  /** `network`: it connects from a machine of its team. */
  kind: z.enum(['agent', 'network']),
  /**
   * False: it is the second agent of its team, meant for other policies than the contest's (section 4.4). It does not play here; an
   * educator tries it in practice, and may award a bounty.
   */
  plays: z.boolean(),
  at: z.iso.datetime(),
  /** SHA-256 of the credentials of its posts, in their order. Absent: none has been made. */
  credentials: z.array(sha256Hex).min(1).max(POSTS_MAX).exactOptional(),
  /** Why it was left out when entries were closed. Absent: it was not. */
  absent: line.exactOptional(),
})
export type Registered = z.infer<typeof registered>

const rule = z.strictObject({
  /** The agents of a team: a second one must be meant for other policies. */
  agentsATeam: z.literal([1, 2]),
  /** True: agents may connect from their teams' machines. */
  network: z.boolean(),
})
export type RegistrationRule = z.infer<typeof rule>

/** The registration of a contest, as class.json keeps it. */
export const registration = rule.extend({
  /** Oldest first. */
  entries: z.array(registered).max(10_000),
})

/** A registered agent as screens show it. */
export interface RegisteredView extends Pick<Registered, 'team' | 'entrant' | 'kind' | 'plays' | 'at'> {
  readonly teamName: string
  /** False for other teams. */
  readonly hasCredentials: boolean
  readonly absent: string | null
}

export interface RegistrationView {
  /** null: the educator chooses the entrants. */
  readonly rule: RegistrationRule | null
  /** True: the caller's team, or for staff any team, can register now. */
  readonly isOpen: boolean
  /** The closing time of the caller's team, or of the contest; null: entries are closed. */
  readonly closes: string | null
  readonly entries: readonly RegisteredView[]
  /** Addresses for the caller's network agent; empty: it has none, or the arena is not open. */
  readonly addresses: readonly string[]
}

/** Credentials of a network agent, one a post. They are shown once; new ones replace the old. */
export interface NewCredentials {
  readonly entrant: EntrantId
  readonly credentials: readonly string[]
}

const ofTeam = { contest: contestId, team: teamId.nullable().default(null) }

/** The procedures of registration. `team` null: the caller's own. */
export const registrationProcedures = {
  'registrations.get': procedure<{ contest: string }, RegistrationView>(oneContest),
  /**
   * Lets teams register until the deadline; null: nobody else can, and those who have stay. Refused if the contest has no deadline,
   * or entries are closed.
   */
  'registrations.set': procedure<{ contest: string; rule: RegistrationRule | null }, null>(
    z.strictObject({ contest: contestId, rule: rule.nullable() }),
  ),
  /**
   * Registers an agent of a team; null: one that connects from the team's machine, under the team's name. It replaces the one that the
   * team has registered. An agent that is not meant for the contest's policy becomes the second one, where that is allowed.
   */
  'registrations.register': procedure<{ contest: string; team: TeamId | null; agent: string | null }, null>(
    z.strictObject({ ...ofTeam, agent: entrantId.nullable() }),
  ),
  'registrations.withdraw': procedure<{ contest: string; team: TeamId | null; entrant: string }, null>(
    z.strictObject({ ...ofTeam, entrant: entrantId }),
  ),
  /** Makes new credentials for the network agent of the caller's team. Refused while its arena is open. */
  'registrations.credentials': procedure<{ contest: string }, NewCredentials>(oneContest),
} as const
