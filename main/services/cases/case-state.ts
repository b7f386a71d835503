import type { ActOf, CaseEntry, CasePerson } from '../../contract/cases/case-record.ts'
import type {
  CaseId,
  CaseOutcome,
  CaseQuestion,
  Exhibit,
  Penalty,
  Pseudonym,
  Side,
  Stage,
  TimedStage,
} from '../../contract/cases/cases.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { drawLot, type Lot } from './lot.ts'
import type { Tally, ValidVote } from './votes.ts'

/** A question of the panel. */
export interface Question {
  /** The number of its entry. */
  readonly n: number
  readonly by: Pseudonym
  /** The sides that have not replied. */
  readonly open: readonly Side[]
}

/** A vote of a ballot, from its commitment on. */
export interface CastVote {
  readonly voter: Pseudonym
  readonly question: CaseQuestion
  readonly commitment: Sha256
  /** The number of the entry with the commitment. */
  readonly n: number
  /** `void`: what was opened does not fit the commitment. */
  readonly state: 'sealed' | 'void' | { readonly choice: string; readonly reason: string }
}

/** One vote of a panel; it is repeated once without a quorum. */
export interface Ballot {
  /** From 1, through all panels of the case. */
  readonly number: number
  readonly instance: 1 | 2
  readonly votes: readonly CastVote[]
  /** null: it goes on. */
  readonly tally: Tally | null
}

export interface CaseRuling {
  readonly instance: 1 | 2
  /** The number of its entry, written by the chair, or by the program when the deadline passed. */
  readonly n: number
  readonly at: string
  readonly broken: boolean
  readonly penalty: Penalty
  /** null: the chair has not written one in time. */
  readonly text: string | null
}

/** A clock that was set back: until it shows `until`, the time of the record is that of the machine and `ahead` ms. */
export interface SetBack {
  readonly until: string
  readonly ahead: number
}

/** A stage from its beginning on. */
interface BegunStage {
  readonly stage: Stage
  readonly instance: 1 | 2
  /** The time of the entry with which it began. */
  readonly at: string
}

/** A deadline that somebody has moved, as it was before. */
interface MovedDeadline {
  /** The number of the entry that moved it. */
  readonly n: number
  readonly before: string
  readonly wasExtended: boolean
}

/** A case after its entries so far. `applyEntry` makes the next one; none of it is changed. */
export interface CaseState {
  readonly id: CaseId
  readonly class: Sha256
  readonly filed: ActOf<'filed'>
  readonly people: ReadonlyMap<Pseudonym, CasePerson>
  readonly entries: number
  /** The time of the last entry. */
  readonly at: string
  readonly stage: Stage
  /** The number of the entry with which the stage began. */
  readonly began: number
  /** null: the stage has none. */
  readonly deadline: string | null
  /** All stages so far, the present one last. */
  readonly stages: readonly BegunStage[]
  /** How the deadline was moved in this stage, the newest last. */
  readonly moves: readonly MovedDeadline[]
  /** A party has moved it in this stage. */
  readonly isExtended: boolean
  /** The clock of the machine was set back; null: it never was. */
  readonly clock: SetBack | null
  /** The entries of each person in this stage, those that are limited. */
  readonly made: ReadonlyMap<Pseudonym, number>
  /** 2: the appeal. */
  readonly instance: 1 | 2
  /** null: not admitted yet. */
  readonly penalties: readonly Penalty[] | null
  /** The number of the entry with the answer; null: there is none. */
  readonly answered: number | null
  readonly salts: readonly string[]
  readonly volunteers: ReadonlySet<Pseudonym>
  /** Those who declared a conflict, are or were of a team concerned, have left the class, or were refused before an appeal. */
  readonly out: ReadonlySet<Pseudonym>
  /** Those who have left the class. */
  readonly gone: ReadonlySet<Pseudonym>
  /** By side, in this instance; null: it refuses nobody. */
  readonly refusals: ReadonlyMap<Side, Pseudonym | null>
  readonly panel: readonly Pseudonym[]
  readonly reserve: readonly Pseudonym[]
  readonly filled: readonly Pseudonym[]
  readonly chair: Pseudonym | null
  /** Votes for a chair, by member. */
  readonly nominations: ReadonlyMap<Pseudonym, Pseudonym>
  /** The members of the first panel, in an appeal. */
  readonly earlier: readonly Pseudonym[]
  readonly questions: readonly Question[]
  readonly exhibits: readonly { readonly n: number; readonly by: Pseudonym | null; readonly exhibit: Exhibit }[]
  /** The entries of a live hearing with which a side went on after its part, by number. */
  readonly late: readonly number[]
  readonly ballots: readonly Ballot[]
  readonly rulings: readonly CaseRuling[]
  readonly outcome: CaseOutcome | 'open'
  /** The entries of this stage that can be taken back, by number. */
  readonly steps: ReadonlyMap<number, CaseEntry>
}

/** The state after the first entry. */
export function beginCase(entry: CaseEntry, filed: ActOf<'filed'>): CaseState {
  const { case: id, class: of, at, n, by } = entry
  return {
    ...{ id, class: of, filed, people: new Map(filed.people.map((person) => [person.id, person])) },
    ...{ entries: 1, at, stage: 'filed', began: n, deadline: later(at, filed.settings.times.filed), instance: 1 },
    ...{ stages: [{ stage: 'filed', instance: 1, at }], moves: [], isExtended: false, clock: null, made: new Map() },
    ...{ penalties: null, answered: null, salts: [], volunteers: new Set(), out: new Set(), gone: new Set() },
    ...{ refusals: new Map(), panel: [], reserve: [], filled: [], chair: null, nominations: new Map(), earlier: [] },
    ...{ questions: [], exhibits: filed.evidence.map((exhibit) => ({ n, by, exhibit })) },
    ...{ late: [], ballots: [], rulings: [], outcome: 'open', steps: new Map() },
  }
}

/** A time some seconds later, as the record has it. */
export function later(at: string, seconds: number): string {
  return new Date(Date.parse(at) + seconds * 1_000).toISOString()
}

/** The time of the next entry, in ms: it never goes back, and runs on at its pace if the clock was set back. `now`: that of the machine. */
export function timeOf({ at, clock }: Pick<CaseState, 'at' | 'clock'>, now: number): number {
  return Math.max(Date.parse(at), machineTime({ clock }, now))
}

/** The time of the machine, or the one that it would show if it had not been set back. */
export function machineTime({ clock }: Pick<CaseState, 'clock'>, now: number): number {
  return clock !== null && now < Date.parse(clock.until) ? now + clock.ahead : now
}

/** The beginning of a stage. */
const begun = (
  { entries, stages, instance, at }: CaseState,
  stage: Stage,
): Pick<CaseState, 'stage' | 'began' | 'stages' | 'moves' | 'isExtended' | 'made' | 'steps'> => ({
  stage,
  began: entries,
  stages: [...stages, { stage, instance, at }],
  moves: [],
  isExtended: false,
  made: new Map(),
  steps: new Map(),
})

/** The case in another stage, whose deadline is counted from now. */
export function inStage(state: CaseState, stage: Exclude<Stage, 'closed'>): CaseState {
  const deadline = stage === 'draw' ? null : later(state.at, state.filed.settings.times[stage satisfies TimedStage])
  return { ...state, deadline, ...begun(state, stage) }
}

export function closed(state: CaseState, outcome: CaseOutcome): CaseState {
  return { ...state, deadline: null, outcome, ...begun(state, 'closed') }
}

/** The case as its last ruling leaves it, unheard if there is none: an appeal that nobody judges keeps the ruling before it. */
export function closedAsRuled(state: CaseState): CaseState {
  const last = state.rulings.at(-1)
  return closed(state, last === undefined ? 'unheard' : last.broken ? 'upheld' : 'rejected')
}

/** The lot of the panel that is to be drawn now, with the seed that was committed to. */
export function lotOf(state: CaseState, seed: string): Lot {
  const { filed, salts, out, refusals, volunteers, earlier } = state
  const refused = [...refusals.values()].filter((person) => person !== null)
  const { volunteersFirst, panel } = filed.settings
  const left = new Set([...out, ...refused])
  return drawLot({ seed, salts, people: filed.people, out: left, volunteers, volunteersFirst, panel, earlier })
}

/** The chair by the votes of the panel: the one with the most; of several, the one who comes first in the lot. */
export function electedChair({ panel, nominations }: CaseState): Pseudonym | null {
  const votes = (id: Pseudonym): number => [...nominations.values()].filter((chair) => chair === id).length
  return panel.toSorted((a, b) => votes(b) - votes(a))[0] ?? null
}

/** The members who committed to a vote on the first question. */
export function presentIn({ votes }: Ballot): number {
  return votes.filter(({ question }) => question === 'broken').length
}

/** The valid votes of a ballot on a question. */
export function validVotes({ votes }: Ballot, question: CaseQuestion): readonly ValidVote[] {
  return votes.flatMap(({ voter, question: of, state }) =>
    of === question && typeof state === 'object' ? [{ voter, ...state }] : [],
  )
}
