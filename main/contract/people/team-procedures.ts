import * as z from 'zod'
import { contestId, entrantId, gameId, newName, sha256Hex, type EntrantId, type Sha256 } from '../ids.ts'
import { policyPattern } from '../contests/policy.ts'
import { nothing, oneContest, procedure } from '../procedures/procedure.ts'
import { uploadHandle } from '../procedures/uploads.ts'
import { line } from '../players/line.ts'
import { deadline, extension, type ClosingTime, type Deadline, type Extension } from './closing-time.ts'
import { handInRulesChange, NOTE_MAX, type AttemptState, type HandInRules, type HandInRulesChange } from './hand-in.ts'
import { personId, type PersonId } from './people.ts'
import type { ReceiptBody, ReceiptsHead } from './receipts.ts'
import { invitation, teamId, TEAM_MEMBERS_MAX, type TeamId } from './teams.ts'

/** A team with the names of its members. */
export interface TeamView {
  readonly id: TeamId
  /** Its public name. */
  readonly name: EntrantId
  /** The name that it gave itself, while the public one is a pseudonym. Absent: the public one is its own. */
  readonly called?: EntrantId
  readonly members: readonly { readonly person: PersonId; readonly name: string }[]
  /** null: nobody can join. */
  readonly invitation: string | null
}

/** A hand-in of a team. */
export interface AttemptView {
  readonly id: number
  readonly team: TeamId
  /** The name of the member who handed it in; null: the person at the program's machine. */
  readonly by: string | null
  readonly contest: string | null
  /** The title of the contest; null: it is for none, or the contest was deleted. */
  readonly contestTitle: string | null
  readonly game: string
  readonly file: string
  readonly sha256: Sha256
  readonly at: string
  readonly state: AttemptState
  /** The verdict of its trial match in a sentence, or why it was refused or is void; null: there is none. */
  readonly reason: string | null
  readonly receipt: number | null
  /** True if an educator or assistant gave the attempt back: it does not count. */
  readonly isGivenBack: boolean
}

/** The maximum of hand-ins in one answer. */
export const ATTEMPTS_SHOWN = 100

/** Hand-ins of a team, newest first, and what it has left today. */
export interface Attempts {
  readonly attempts: readonly AttemptView[]
  /** True if there are earlier ones. */
  readonly more: boolean
  readonly used: number
  /** null: there is no limit. */
  readonly left: number | null
}

/** The answer to a hand-in that was accepted. Its trial has not been played yet. */
export interface HandInAnswer {
  readonly attempt: number
  readonly agent: EntrantId
  readonly receipt: ReceiptBody
  readonly head: Sha256
  /** The signature of the receipt, which with the two before it is the receipt's file. */
  readonly signature: string
  /** A remark, such as that the class has the same bytes already; null: none. */
  readonly note: string | null
  /** About its time; empty: it is for no contest. */
  readonly time: string
}

/** The version that a file would become. */
export interface HandInLook {
  readonly agent: EntrantId
  readonly game: string
  /** The number of the version; null: the agent has a version of the very same bytes. */
  readonly version: number | null
  /** The looks that the team has left in this hour. */
  readonly left: number
}

/** The place of a team's oldest waiting hand-in in the queue. */
export interface QueuePlace {
  readonly attempt: number
  /** From 1. */
  readonly place: number
  /** ms until its trial begins, by the trials so far; null: there were none. */
  readonly expected: number | null
}

/** The deadline of a contest as a team sees it. */
export interface TeamDeadline {
  readonly deadline: Deadline | null
  /** null: there is no deadline, or the caller has no team. */
  readonly closing: ClosingTime | null
  /** The verdict on a hand-in at this moment, as a sentence. */
  readonly verdict: string | null
  /** The server's time. */
  readonly now: string
}

const ofTeam = z.strictObject({ team: teamId.nullable().default(null) })

/** The procedures of teams, hand-ins, receipts and deadlines. `team` null: the caller's own. */
export const teamProcedures = {
  'teams.mine': procedure<z.infer<typeof nothing>, TeamView | null>(nothing),
  /** Forms a team of the caller. Refused if they are in one. */
  'teams.form': procedure<{ name: string }, TeamView>(z.strictObject({ name: newName })),
  /** Makes a code with which others join the caller's team; the former one ends. */
  'teams.invite': procedure<z.infer<typeof nothing>, { readonly invitation: string }>(nothing),
  'teams.join': procedure<{ invitation: string }, TeamView>(z.strictObject({ invitation })),
  /** The caller leaves their team, whose agents stay with it. */
  'teams.leave': procedure<z.infer<typeof nothing>, null>(nothing),
  /** Histories and receipts keep the former name. */
  'teams.rename': procedure<{ name: string }, TeamView>(z.strictObject({ name: newName })),
  /** Those that have members. */
  'teams.list': procedure<z.infer<typeof nothing>, readonly TeamView[]>(nothing),
  /** Sets the members of a team; null: a new one. People leave the teams in which they are. */
  'teams.change': procedure<{ team: TeamId | null; name: string; members: PersonId[] }, TeamView>(
    z.strictObject({ team: teamId.nullable(), name: newName, members: z.array(personId).max(TEAM_MEMBERS_MAX) }),
  ),

  /**
   * Hands in an uploaded file for a team. `agent`: the agent of which it is a version, or the name of a new one; null: the team's only
   * agent in the game, or a new one. `game` null: that of the contest, or of the team's agents.
   */
  'handIn.submit': procedure<
    {
      file: string
      game: string | null
      team: TeamId | null
      contest: string | null
      agent: string | null
      policies?: string[] | undefined
      note: string
    },
    HandInAnswer
  >(
    z.strictObject({
      ...{ file: uploadHandle, game: gameId.nullable().default(null), team: ofTeam.shape.team },
      contest: contestId.nullable().default(null),
      agent: newName.nullable().default(null),
      policies: z.array(policyPattern).min(1).max(8).optional(),
      note: z.string().max(NOTE_MAX).default(''),
    }),
  ),
  /**
   * Reads, bundles and builds an uploaded file as `handIn.submit` does, and refuses it in the same words; nothing is kept, and no attempt
   * is used. Some times an hour.
   */
  'handIn.look': procedure<
    { file: string; game: string | null; team: TeamId | null; contest: string | null; agent: string | null },
    HandInLook
  >(
    z.strictObject({
      ...{ file: uploadHandle, game: gameId.nullable().default(null), team: ofTeam.shape.team },
      contest: contestId.nullable().default(null),
      agent: newName.nullable().default(null),
    }),
  ),
  /** The newest ones. `before`: the id of an attempt; only those that came before it. */
  'handIn.attempts': procedure<
    { team: TeamId | null; before?: number | undefined; limit?: number | undefined },
    Attempts
  >(
    ofTeam.extend({
      before: z.int().min(1).optional(),
      limit: z.int().min(1).max(ATTEMPTS_SHOWN).optional(),
    }),
  ),
  /** The caller's team in the queue; null: nothing of it waits. */
  'handIn.queue': procedure<{ team: TeamId | null }, QueuePlace | null>(ofTeam),
  /** Gives a team an attempt back. */
  'handIn.giveBack': procedure<{ attempt: number }, null>(z.strictObject({ attempt: z.int().min(1) })),
  /** Withdraws a version of an agent, which does not play from then on. */
  'handIn.withdraw': procedure<{ name: string; agent: Sha256 }, null>(
    z.strictObject({ name: entrantId, agent: sha256Hex }),
  ),

  /** Replaces the team's note on a version; an empty one removes it. */
  'handIn.note': procedure<{ name: string; agent: Sha256; note: string }, null>(
    z.strictObject({ name: entrantId, agent: sha256Hex, note: z.string().max(NOTE_MAX) }),
  ),
  /**
   * Pauses a version of a team's agent, which then does not play, and tells the team why; `reason` null: it may play again. Contests
   * that have begun keep it.
   */
  'handIn.pause': procedure<{ name: string; agent: Sha256; reason: string | null }, null>(
    z.strictObject({ name: entrantId, agent: sha256Hex, reason: line.nullable() }),
  ),
  /** The rules of the class for handing in. */
  'handIn.rules': procedure<z.infer<typeof nothing>, HandInRules>(nothing),
  /** Those that are not named stay. */
  'handIn.setRules': procedure<HandInRulesChange, null>(handInRulesChange),

  'receipts.list': procedure<{ team: TeamId | null }, readonly ReceiptBody[]>(ofTeam),
  /** A receipt as a file. */
  'receipts.get': procedure<
    { team: TeamId | null; n: number },
    { readonly fileName: string; readonly content: string }
  >(ofTeam.extend({ n: z.int().min(1) })),
  'receipts.head': procedure<z.infer<typeof nothing>, ReceiptsHead>(nothing),

  'deadlines.get': procedure<{ contest: string }, TeamDeadline>(oneContest),
  /** Sets the deadline of a contest; `closes` null: it has none. `rules`: of the class, which change with it or not at all. */
  'deadlines.set': procedure<
    { contest: string; closes: string | null; late: Deadline['late']; rules?: HandInRulesChange | undefined },
    null
  >(deadline.extend({ closes: deadline.shape.closes.nullable(), rules: handInRulesChange.optional() })),
  'deadlines.extend': procedure<Pick<Extension, 'of' | 'contest' | 'until' | 'reason'>, null>(
    extension.pick({ of: true, contest: true, until: true }).extend({ reason: line }),
  ),
  'deadlines.extensions': procedure<{ contest: string }, readonly Extension[]>(oneContest),
}
