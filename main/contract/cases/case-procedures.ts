import * as z from 'zod'
import { contestId, type ContestId, type EntrantId, type Sha256 } from '../ids.ts'
import type { PersonId } from '../people/people.ts'
import { ruleBook } from '../evidence/dossier-procedures.ts'
import { nothing, page, procedure, search } from '../procedures/procedure.ts'
import type { Page } from '../procedures/answers.ts'
import { EXHIBITS_MAX, wantedAct, type CaseAct, type CaseEntry, type WantedAct } from './case-record.ts'
import type { openedRecord } from './opened-case.ts'
import {
  against,
  caseId,
  caseSettings,
  caseText,
  citedRule,
  exhibit,
  penalty,
  type Against,
  type CaseId,
  type CaseOutcome,
  type CaseQuestion,
  type CaseSettings,
  type CitedRule,
  type Exhibit,
  type Penalty,
  type Pseudonym,
  type Side,
  type Stage,
} from './cases.ts'

/** The end of a record: a person who notes it can show later that an entry before it was changed. */
export interface CaseHead {
  readonly n: number
  readonly head: Sha256
}

/** A case in a list. */
export interface CaseSummary extends CaseHead {
  readonly case: CaseId
  readonly contest: ContestId
  /** The public names of the teams; null: the educator. */
  readonly filer: EntrantId | null
  readonly other: EntrantId | null
  readonly against: Against
  readonly rule: Pick<CitedRule, 'source' | 'id' | 'sha256'>
  readonly filedAt: string
  readonly stage: Stage
  /** 2: it was appealed. */
  readonly instance: 1 | 2
  /** null: the stage has none. */
  readonly deadline: string | null
  readonly outcome: CaseOutcome | 'open'
  /** The part of the viewer; null: none. */
  readonly part: Side | 'panel' | 'chair' | null
  /** The viewer, or their side, has taken the one step that this stage waits for: the answer, the election, the votes or their opening. */
  readonly hasActed: boolean
  /** A sentence if the record in the data folder does not hold; null: it does, and goes on. */
  readonly damage: string | null
}

/** `unreadable`: for staff, cases whose records cannot be read at all, for example because their first line is damaged. */
export interface CaseList extends Page<CaseSummary> {
  readonly unreadable: readonly CaseId[]
}

/** A person of a case as the viewer sees them. */
export interface CasePersonView {
  readonly id: Pseudonym
  readonly role: 'educator' | 'assistant' | 'student'
  readonly side: Side | null
  /**
   * null: it is hidden until the ruling, the person is no longer known to the class, or the viewer need not know it: students know
   * their own side and those who judge.
   */
  readonly name: string | null
}

/**
 * A vote as everybody sees it. `sealed`: its voter alone knows it. `opened`: others see it when the ballot is counted, so that nobody
 * keeps back their own because of it.
 */
export interface VoteView {
  readonly voter: Pseudonym
  readonly question: CaseQuestion
  readonly state: 'sealed' | 'opened' | 'void' | { readonly choice: string; readonly reason: string }
}

/** A ballot and its result. */
export interface BallotView {
  readonly number: number
  readonly instance: 1 | 2
  readonly votes: readonly VoteView[]
  /** null: it goes on. `casting`: the questions that the chair's vote decided. */
  readonly result: {
    readonly hasQuorum: boolean
    readonly broken: boolean
    readonly penalty: number
    readonly casting: readonly CaseQuestion[]
  } | null
}

/** A ruling as the record has it. */
export interface RulingView {
  readonly instance: 1 | 2
  readonly n: number
  readonly at: string
  readonly broken: boolean
  readonly penalty: Penalty
  /** null: the chair wrote none in time. */
  readonly text: string | null
}

/** A vote that was opened, while the ballot is not counted. */
export interface UncountedVote {
  readonly do: 'opened'
  readonly question: CaseQuestion
  readonly isHidden: true
}

/** An entry of the record, with the head after it. */
export interface EntryView extends Pick<CaseEntry, 'n' | 'at' | 'by'> {
  readonly act: CaseAct | UncountedVote
  readonly head: Sha256
}

/** A case as one viewer sees it. */
export interface CaseView extends CaseSummary {
  readonly settings: CaseSettings
  readonly text: string
  readonly ruleText: string
  readonly asks: Penalty
  readonly exhibits: readonly { readonly n: number; readonly by: Pseudonym | null; readonly exhibit: Exhibit }[]
  readonly people: readonly CasePersonView[]
  /** The viewer's pseudonym; null: they were not of the class when the case was filed. */
  readonly me: Pseudonym | null
  /** The entries of the viewer that they can take back now. */
  readonly undoable: readonly number[]
  /** The steps that the viewer can take now. */
  readonly steps: readonly WantedAct['do'][]
  /** Those whom the viewer's side can refuse; empty: it cannot refuse anybody now. */
  readonly refusable: readonly { readonly person: PersonId; readonly name: string }[]
  /** The consequence if the deadline is missed; null: there is no deadline. */
  readonly consequence: string | null
  /** null: it is not admitted. The first one is empty. */
  readonly penalties: readonly Penalty[] | null
  readonly panel: readonly Pseudonym[]
  /** Members who fill the panel, since too few students were left. */
  readonly filled: readonly Pseudonym[]
  readonly chair: Pseudonym | null
  /** Questions of the panel, and the sides that have not replied. */
  readonly questions: readonly { readonly n: number; readonly by: Pseudonym; readonly open: readonly Side[] }[]
  /** The entries of a live hearing with which a side went on after its part, by number. */
  readonly late: readonly number[]
  readonly ballots: readonly BallotView[]
  readonly rulings: readonly RulingView[]
  /** The reason why the contest does not count a ruling yet, as a sentence; null: it counts all of them. */
  readonly uncounted: string | null
  readonly entries: readonly EntryView[]
  /** All stages so far, the present one last. `at`: when each began. */
  readonly stages: readonly { readonly stage: Stage; readonly instance: 1 | 2; readonly at: string }[]
  /** The server's time. */
  readonly now: string
}

/** The record of a case that somebody has as a file. */
export interface OpenedCase extends Omit<z.infer<typeof openedRecord>, 'recorded'> {
  /** The case as far as the record holds, for a viewer who takes no steps; null: it does not hold from its first line on. */
  readonly view: CaseView | null
}

/** A closed case in which a rule was judged. */
export interface Precedent {
  readonly case: CaseId
  /** As in the citation of the case: its name in its book. */
  readonly rule: string
  readonly broken: boolean
}

/** A complaint. The program adds the parties, the people and the lots. */
export const caseWish = z.strictObject({
  contest: contestId,
  against,
  evidence: z.array(exhibit).min(1).max(EXHIBITS_MAX),
  rule: citedRule,
  asks: penalty,
  text: caseText,
  settings: caseSettings,
})
export type CaseWish = z.infer<typeof caseWish>

/** The topic `case:`: where a case stands. A screen that wants more calls `cases.get`. */
export type CaseProgress = Pick<CaseSummary, 'n' | 'head' | 'stage' | 'deadline'>

/** Somebody who has the room of a case open. */
export interface PresentPerson {
  readonly part: Side | 'panel' | 'chair' | 'staff' | 'class'
  /** null: one of the others of the class, or, while names of the panel are hidden, one of no side. */
  readonly person: Pseudonym | null
}

/** The topic `caseRoom:`, for people of the case alone: those who are here now, of all devices. */
export interface CaseRoom {
  readonly here: readonly PresentPerson[]
  /** The size of the panel; 0: it is not drawn. */
  readonly members: number
}

const oneFile = z.strictObject({ file: z.string().min(1).max(100) })
const oneCase = z.strictObject({ case: caseId })

/** The procedures of hearings (docs/hearings.md). */
export const caseProcedures = {
  /** The newest first. `search`: words of rules, parties and texts. */
  'cases.list': procedure<{ contest: string | null; search: string; offset: number; limit: number }, CaseList>(
    z.strictObject({ contest: contestId.nullable().default(null), search, ...page }),
  ),
  'cases.get': procedure<{ case: string }, CaseView>(oneCase),
  /** The complaints that the caller's team may still file in this term; null: any number. `term` null: the class has no terms. */
  'cases.tokens': procedure<z.infer<typeof nothing>, { readonly left: number | null; readonly term: string | null }>(
    nothing,
  ),
  /** The closed cases in which rules of a book were judged, oldest first. `book`: as in `dossiers.rules`. */
  'cases.precedents': procedure<{ book: string }, readonly Precedent[]>(z.strictObject({ book: ruleBook })),
  /** Refused if the team has no complaint left, or the text of the rule does not have its hash. */
  'cases.file': procedure<CaseWish, CaseHead & { readonly case: CaseId }>(caseWish, 400_000),
  /** Takes a step. Refused with the reason if it is not the caller's turn. */
  'cases.act': procedure<{ case: string; act: WantedAct }, CaseHead>(oneCase.extend({ act: wantedAct }), 400_000),
  /** Verifies the record of a case that somebody has as an opened file, and reads it. */
  'cases.open': procedure<{ file: string }, OpenedCase>(oneFile),
  /** While votes are opened, the case up to then. `record`: the signed lines. `transcript`: a page without scripts, to print. */
  'cases.export': procedure<
    { case: string; form: 'record' | 'transcript' },
    { readonly fileName: string; readonly content: string }
  >(oneCase.extend({ form: z.enum(['record', 'transcript']) })),
}
