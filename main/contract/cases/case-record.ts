import * as z from 'zod'
import { contestId, sha256Hex } from '../ids.ts'
import { PEOPLE_MAX, personId } from '../people/people.ts'
import {
  against,
  caseId,
  caseQuestion,
  caseSettings,
  caseText,
  citedRule,
  exhibit,
  moment,
  nonce,
  party,
  pseudonym,
  penalties,
  penalty,
  remark,
  side,
  timedStages,
} from './cases.ts'

/** Maximum people of a case, pieces of evidence of one entry, and entries of a record after which nobody asks more. */
export const CASE_PEOPLE_MAX = PEOPLE_MAX
export const EXHIBITS_MAX = 20
export const ENTRIES_MAX = 5_000

/** A person of the class when the case was filed. `side`: the party to which they belong; null: none. */
export const casePerson = z.strictObject({
  id: pseudonym,
  role: z.enum(['educator', 'assistant', 'student']),
  side: side.nullable(),
})
export type CasePerson = z.infer<typeof casePerson>

/** A text that a person adds to the seed of the lot, so that nobody knows the lot before; null: none. */
const salt = nonce.nullable()

const opening = {
  ...{ do: z.literal('opened'), question: caseQuestion, choice: z.string().regex(/^[a-z0-9]{1,8}$/) },
  ...{ reason: caseText, nonce },
}

/** The steps that a person takes as they are in the record. */
const personActs = [
  /** `settings`: in place of those with which it was filed. */
  z.strictObject({
    ...{ do: z.literal('admitted'), reason: caseText, penalties, settings: caseSettings.exactOptional() },
  }),
  z.strictObject({ do: z.literal('dismissed'), reason: caseText }),
  z.strictObject({ do: z.literal('answered'), text: caseText, evidence: z.array(exhibit).max(EXHIBITS_MAX), salt }),
  z.strictObject({ do: z.literal('volunteered'), salt }),
  /** They are not on the panel, or leave it. */
  z.strictObject({ do: z.literal('conflict'), reason: remark }),
  /** A member votes for a chair; another vote of theirs replaces it. */
  z.strictObject({ do: z.literal('elected'), chair: pseudonym }),
  z.strictObject({ do: z.literal('asked'), to: z.enum(['filer', 'other', 'both']), text: caseText }),
  /** `to`: the number of the entry with the question; null: a statement. */
  z.strictObject({ do: z.literal('replied'), to: z.int().min(1).nullable(), text: caseText }),
  z.strictObject({ do: z.literal('exhibited'), exhibit }),
  /** The chair ends the hearing, staff the stages before it. */
  z.strictObject({ do: z.literal('ended'), stage: z.enum(['answer', 'election', 'hearing']) }),
  /** See `voteText`. */
  z.strictObject({ do: z.literal('voted'), question: caseQuestion, commitment: sha256Hex }),
  z.strictObject({ do: z.literal('deadline'), to: moment, reason: caseText }),
  z.strictObject({
    ...{ do: z.literal('ruled'), broken: z.boolean(), penalty: z.int().min(0).max(7), text: caseText },
  }),
  z.strictObject({ do: z.literal('appealed'), text: caseText, salt }),
  /** The filer takes the case back. */
  z.strictObject({ do: z.literal('withdrawn'), reason: remark }),
  /** Somebody takes back their entry `n`, while its stage lasts. */
  z.strictObject({ do: z.literal('undone'), n: z.int().min(1) }),
] as const

/**
 * `joined`: they are in the team of a side now. `former`: they were. `ruling`: they are or were in a team of the case whose ruling this
 * case is against.
 */
export const barReason = z.enum(['joined', 'former', 'ruling'])
export type BarReason = z.infer<typeof barReason>

/** Milliseconds; no date is further from another. */
const CLOCK_AHEAD_MAX = 8_640_000_000_000_000

/** The entries of a record. Each is one step of one person, or of the program. */
export const caseAct = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('filed'),
    contest: contestId,
    filer: party,
    other: party,
    against,
    evidence: z.array(exhibit).min(1).max(EXHIBITS_MAX),
    rule: citedRule,
    asks: penalty,
    text: caseText,
    settings: caseSettings,
    /** In the order of their ids. */
    people: z.array(casePerson).max(CASE_PEOPLE_MAX),
    /** SHA-256 of `tartaglia lot ` and the seed, of the lots of the first panel and of an appeal's. */
    lots: z.tuple([sha256Hex, sha256Hex]),
  }),
  ...personActs,
  /** `fits`: it is the vote that was committed to; otherwise it is void. */
  z.strictObject({ ...opening, fits: z.boolean() }),
  /** A side refuses one person without a reason; null: it refuses nobody. */
  z.strictObject({ do: z.literal('refused'), person: pseudonym.nullable(), salt }),
  /** By the program. `panel`: in the order of the lot. */
  z.strictObject({
    do: z.literal('drawn'),
    seed: nonce,
    panel: z.array(pseudonym).max(CASE_PEOPLE_MAX),
    /** Assistants, educators and members of the first panel who fill it, since too few students remained. */
    filled: z.array(pseudonym).max(CASE_PEOPLE_MAX),
  }),
  /**
   * By the program: the deadline of the stage has passed. `unopened`: after `opening` alone, the members who have not opened a vote, in the
   * order of the panel.
   */
  z.strictObject({
    do: z.literal('lapsed'),
    stage: z.enum(timedStages),
    unopened: z.array(pseudonym).max(CASE_PEOPLE_MAX).exactOptional(),
  }),
  /** By the program: a person has left the class. */
  z.strictObject({ do: z.literal('left'), person: pseudonym }),
  /** By the program: a person of neither side does not judge, because of a team to which they belong or belonged. */
  z.strictObject({ do: z.literal('barred'), person: pseudonym, because: barReason }),
  /**
   * By the program: the clock of the machine was set back. Until it shows the time of this entry, times of the record are those of the
   * machine and `ahead` ms.
   */
  z.strictObject({ do: z.literal('clock'), ahead: z.int().min(1).max(CLOCK_AHEAD_MAX) }),
])
export type CaseAct = z.infer<typeof caseAct>

/** A step as somebody asks for it: whom a side refuses is known to it by name, not by pseudonym. */
export const wantedAct = z.discriminatedUnion('do', [
  ...personActs,
  z.strictObject(opening),
  z.strictObject({ do: z.literal('refused'), person: personId.nullable(), salt }),
])
export type WantedAct = z.infer<typeof wantedAct>
export type ActOf<K extends CaseAct['do']> = Extract<CaseAct, { readonly do: K }>

/** One line of a record. Its canonical text (RFC 8785) is the body of one line of the chain. */
export const caseEntry = z.strictObject({
  k: z.literal('case'),
  case: caseId,
  /** From 1. */
  n: z.int().min(1),
  /** The fingerprint of the class's public key. */
  class: sha256Hex,
  /** The server's time; it never goes back. Deadlines after it have a year of four digits, too. */
  at: moment.refine((at) => at >= '0001' && at < '9001', 'a record is of the years 1 to 9000'),
  /** null: the program. */
  by: pseudonym.nullable(),
  /** `h` of the entry before; empty for the first one. */
  previous: z.union([sha256Hex, z.literal('')]),
  act: caseAct,
})
export type CaseEntry = z.infer<typeof caseEntry>

/** An entry as it stands in the record: body, the chain's head after it, and the signature over that, as in receipts. */
export const signedCaseEntry = z.strictObject({
  b: caseEntry,
  h: sha256Hex,
  s: z.string().regex(/^[0-9a-f]{128}$/, 'expected 128 lower-case hex digits'),
})
export type SignedCaseEntry = z.infer<typeof signedCaseEntry>

/** A vote as its voter keeps it until it is opened. */
export interface Vote {
  readonly case: string
  readonly question: z.infer<typeof caseQuestion>
  /** `yes`, `no` or `abstain`; for a penalty its place in the list, such as `0`, or `abstain`. */
  readonly choice: string
  readonly reason: string
  readonly voter: string
  /** The number of the vote on this question: an appeal and a repeated vote have another one. */
  readonly ballot: number
  readonly nonce: string
}

/** The text whose SHA-256 in UTF-8 is the commitment to a vote: its canonical JSON. The voter's screen computes it, too. */
export function voteText({ ballot, case: of, choice, nonce: secret, question, reason, voter }: Vote): string {
  // In the order of RFC 8785; texts are well formed, so that JSON.stringify writes what RFC 8785 says.
  return JSON.stringify({ ballot, case: of, choice, nonce: secret, question, reason, voter })
}
