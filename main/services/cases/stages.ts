import type { CaseAct, CaseEntry, CasePerson } from '../../contract/cases/case-record.ts'
import type { Penalty, Pseudonym, Side, TimedStage } from '../../contract/cases/cases.ts'
import { canonicalText } from '../../histories/canonical.ts'
import { closed, closedAsRuled, electedChair, inStage, later, lotOf, type CaseState } from './case-state.ts'
import { lotCommitment } from './lot.ts'
import { afterOpening, closeBallot, isVoteComplete, lapseOf, openVote, stateAfterVoting, withVote } from './ballots.ts'
import { askIn, exhibitedIn, hearingGoesOn, leaveCase, repliedIn, undoneIn } from './proceedings.ts'

// The stages of a case as a state machine over the entries of its record (docs/hearings.md). Time is that of the entries.

/** The next state, or the reason why an entry is not accepted, as a clause. */
export type Applied = CaseState | string

/** Applies the next entry of a record. */
export function applyEntry(state: CaseState, entry: CaseEntry): Applied {
  const { act, at, by, n } = entry
  if (entry.case !== state.id || entry.class !== state.class) return 'it belongs to another case'
  if (n !== state.entries + 1) return `entry ${state.entries + 1} is missing`
  if (at < state.at) return 'it is dated before the entry before it'
  const isDue = state.deadline !== null && at >= state.deadline
  if (isDue && act.do !== 'lapsed') return 'the deadline of the stage has passed'
  if (state.stage === 'closed') return 'the case is closed'
  if (state.stage === 'draw' && !['drawn', 'left', 'barred'].includes(act.do)) return 'the panel is being drawn'
  const now = { ...state, entries: n, at }
  if (by === null) return programStep(now, entry, isDue)
  const person = state.people.get(by)
  if (person === undefined) return 'nobody of the case did it'
  if (state.gone.has(by)) return 'they have left the class'
  if (isUnlimited(act)) return personStep(now, entry, person)
  const made = (state.made.get(by) ?? 0) + 1
  if (made > STAGE_ENTRIES_MAX) return `they have made ${STAGE_ENTRIES_MAX} entries in this stage already`
  // Counted before the step: a stage that begins with it has none.
  return personStep({ ...now, made: new Map([...state.made, [by, made]]) }, entry, person)
}

/** The entries of one person in one stage. */
const STAGE_ENTRIES_MAX = 50

/** Steps that come to an end by themselves, and which nobody may be kept from. Taking them back is limited. */
export function isUnlimited(act: CaseAct): boolean {
  return ['voted', 'opened', 'ruled', 'appealed'].includes(act.do) || (act.do === 'replied' && act.to !== null)
}

/** The entries of the program. */
function programStep(state: CaseState, { act, at }: CaseEntry, isDue: boolean): Applied {
  if (act.do === 'drawn') return drawn(state, act)
  if (act.do === 'barred') return barred(state, act.person)
  if (act.do === 'clock') return { ...state, clock: { until: at, ahead: act.ahead } }
  if (act.do === 'left') return leaveCase({ ...state, gone: new Set([...state.gone, act.person]) }, act.person)
  if (act.do !== 'lapsed') return 'the program does not do this'
  if (act.stage !== state.stage || !isDue) return 'the deadline has not passed'
  if (canonicalText(act) !== canonicalText(lapseOf(state, act.stage)))
    return 'it names others than those who have not opened their votes'
  return lapsed(state, act.stage)
}

/** Somebody of neither side who is or was of a team concerned does not judge. */
function barred(state: CaseState, id: Pseudonym): Applied {
  if (state.people.get(id)?.side !== null) return 'only somebody who could be drawn is left out'
  return state.out.has(id) ? 'they are left out already' : leaveCase(state, id)
}

/** The consequence of a missed deadline: `consequences` of the contract has it in words. */
function lapsed(state: CaseState, stage: TimedStage): CaseState {
  if (stage === 'filed') return inStage({ ...state, penalties: penaltiesAsked(state) }, 'answer')
  if (stage === 'answer') return inStage(state, 'draw')
  if (stage === 'election') return inStage({ ...state, chair: electedChair(state) }, 'hearing')
  if (stage === 'hearing') return stateAfterVoting(state, 'begin')
  if (stage === 'voting') return stateAfterVoting(state, 'open')
  if (stage === 'opening') return closeBallot(state)
  if (stage === 'ruling') return ruled(state, null)
  return closedAsRuled(state)
}

function penaltiesAsked({ filed: { asks } }: Pick<CaseState, 'filed'>): readonly Penalty[] {
  return asks.length === 0 ? [[]] : [[], asks]
}

/** A panel is drawn: anybody can draw it again. */
function drawn(state: CaseState, act: Extract<CaseAct, { do: 'drawn' }>): Applied {
  if (state.stage !== 'draw') return 'no panel is to be drawn now'
  if (lotCommitment(act.seed) !== state.filed.lots[state.instance - 1])
    return 'the seed of the lot is not the one that was committed to'
  const lot = lotOf(state, act.seed)
  if (!isSame(lot.panel, act.panel) || !isSame(lot.filled, act.filled)) return 'the lot draws another panel'
  if (lot.panel.length === 0) return closedAsRuled(state)
  const next = { ...state, ...lot, chair: lot.panel[0]!, nominations: new Map() }
  if (state.filed.settings.chair === 'drawn' || lot.panel.length === 1) return inStage(next, 'hearing')
  return inStage({ ...next, chair: null }, 'election')
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, at) => each === other[at])
}

/** The ruling that follows from the votes. `text` null: the deadline has passed. */
function ruled(state: CaseState, text: string | null): CaseState {
  const { broken, penalty } = state.ballots.at(-1)!.tally!
  const { instance, entries: n, at } = state
  const ruling = { instance, n, at, broken, penalty: broken ? state.penalties![penalty]! : [], text }
  const next = { ...state, rulings: [...state.rulings, ruling] }
  return instance === 1 ? inStage(next, 'appeal') : closedAsRuled(next)
}

const isStaff = ({ role }: CasePerson): boolean => role !== 'student'

/** An entry of a person: only in its stage, and only by those whose turn it is. */
function personStep(state: CaseState, entry: CaseEntry, person: CasePerson): Applied {
  const { act, n } = entry
  switch (act.do) {
    case 'admitted':
    case 'dismissed':
      return decided(state, act, person)
    case 'answered':
    case 'volunteered':
      return kept(beforeTheLot(state, act, person, n), entry)
    case 'refused': {
      const next = beforeTheLot(state, act, person, n)
      // Taken back, it would tell the pseudonym of anybody by their name.
      return state.filed.settings.hideNames ? next : kept(next, entry)
    }
    case 'conflict':
      return conflict(state, entry, person)
    case 'exhibited':
      return kept(exhibitedIn(state, act, person), entry)
    case 'asked':
      return kept(askIn(state, act, person.id), entry)
    case 'replied':
      return kept(repliedIn(state, act, person), entry)
    case 'elected':
      return nominated(state, entry, act.chair)
    case 'ended':
      return ended(state, act.stage, person)
    case 'voted':
      return afterVote(withVote(state, act, person.id), entry)
    case 'opened':
      return counted(openVote(state, act, person.id))
    case 'deadline':
      return kept(moved(state, act.to, person), entry)
    case 'ruled':
      return rule(state, act, person)
    case 'appealed':
      return appealed(state, act, person)
    case 'withdrawn': {
      if (person.side !== 'filer') return 'only the side that filed the case can withdraw it'
      if (state.instance === 2 || !['filed', 'answer', 'election', 'hearing'].includes(state.stage))
        return 'a case can be withdrawn until the vote begins'
      return closed(state, 'withdrawn')
    }
    case 'undone': {
      const step = state.steps.get(act.n)
      if (step === undefined) return 'that entry cannot be taken back, or its stage is over'
      if (step.by !== person.id) return 'only the person who made an entry takes it back'
      return step.act.do === 'deadline' ? movedBack(state, step, person) : undoneIn(state, step)
    }
    default:
      return 'only the program does this'
  }
}

/** An accepted entry that can be taken back while its stage lasts. */
function kept(next: Applied, entry: CaseEntry): Applied {
  return typeof next === 'string' ? next : { ...next, steps: new Map([...next.steps, [entry.n, entry]]) }
}

function decided(
  state: CaseState,
  act: Extract<CaseAct, { do: 'admitted' | 'dismissed' }>,
  person: CasePerson,
): Applied {
  if (!isStaff(person)) return 'only educators and assistants admit or dismiss a case'
  if (state.stage !== 'filed') return 'the case was admitted already'
  if (act.do === 'admitted') {
    const { penalties, settings = state.filed.settings } = act
    if (penalties[0]?.length !== 0) return 'the first penalty has to be none'
    const asAsked = canonicalText(penalties) === canonicalText(penaltiesAsked(state)) && act.settings === undefined
    if (person.side !== null && !asAsked) return 'a party admits a case only with what was asked for'
    return inStage({ ...state, penalties, filed: { ...state.filed, settings } }, 'answer')
  }
  return person.side === null ? closed(state, 'dismissed') : 'nobody dismisses a case to which they are a party'
}

type BeforeTheLot = Extract<CaseAct, { do: 'answered' | 'volunteered' | 'refused' }>

/** Steps of the two sides and of those who may be drawn, before the lot. */
function beforeTheLot(state: CaseState, act: BeforeTheLot, person: CasePerson, n: number): Applied {
  if (state.stage !== 'answer') return 'that is done before the panel is drawn'
  // Staff could choose theirs with the seed before their eyes.
  const salts = act.salt === null || isStaff(person) ? state.salts : [...state.salts, act.salt]
  const { id, side } = person
  if (act.do === 'volunteered') {
    if (side !== null) return 'a party cannot be on the panel'
    if (state.volunteers.has(id)) return 'they have volunteered already'
    return { ...state, salts, volunteers: new Set([...state.volunteers, id]) }
  }
  if (side === null) return 'only the two sides do this'
  if (act.do === 'answered') {
    if (side !== 'other') return 'the other side answers'
    if (state.answered !== null) return 'the case was answered already'
    const brought = act.evidence.map((exhibit) => ({ n, by: id, exhibit }))
    return { ...state, salts, answered: n, exhibits: [...state.exhibits, ...brought] }
  }
  if (state.refusals.has(side)) return 'each side refuses once'
  if (act.person !== null && state.people.get(act.person)?.side !== null)
    return 'only somebody who could be drawn can be refused'
  return { ...state, salts, refusals: new Map([...state.refusals, [side, act.person]]) }
}

/** Somebody declares a conflict: before the lot they are left out, afterwards they leave the panel. */
function conflict(state: CaseState, entry: CaseEntry, { id, side }: CasePerson): Applied {
  if (side !== null) return 'a party cannot be on the panel anyway'
  if (state.out.has(id)) return 'they are left out already'
  if (state.stage === 'answer') return kept({ ...state, out: new Set([...state.out, id]) }, entry)
  if (!state.panel.includes(id)) return 'they are not on the panel'
  if (state.stage !== 'election' && state.stage !== 'hearing') return 'a conflict is declared before the vote'
  return leaveCase(state, id)
}

function nominated(state: CaseState, entry: CaseEntry, chair: string): Applied {
  if (state.stage !== 'election') return 'no chair is to be elected now'
  if (!state.panel.includes(entry.by!) || !state.panel.includes(chair)) return 'members of the panel elect one of them'
  const next = { ...state, nominations: new Map([...state.nominations, [entry.by!, chair]]) }
  if (next.nominations.size < next.panel.length) return kept(next, entry)
  return inStage({ ...next, chair: electedChair(next) }, 'hearing')
}

/** A stage ends before its deadline, if nobody loses time that is theirs. */
function ended(state: CaseState, stage: 'answer' | 'election' | 'hearing', person: CasePerson): Applied {
  if (state.stage !== stage) return 'that stage is not the present one'
  if (stage === 'hearing') {
    if (person.id !== state.chair) return 'the chair ends the hearing'
    return hearingGoesOn(state) ?? stateAfterVoting(state, 'begin')
  }
  if (!isStaff(person)) return 'educators and assistants end this stage'
  // They would choose the moment of the lot, whose seed the educator can know, or the votes that elect.
  if (person.side !== null) return 'a party to the case does not end this stage'
  if (stage === 'election')
    return state.nominations.size > 0
      ? inStage({ ...state, chair: electedChair(state) }, 'hearing')
      : 'nobody has voted for a chair yet'
  const sides: readonly Side[] = ['filer', 'other']
  if (state.answered === null && state.instance === 1) return 'the other side has not answered yet'
  if (!sides.every((side) => state.refusals.has(side))) return 'both sides may refuse a person first, or nobody'
  return inStage(state, 'draw')
}

/** The last vote ends the voting. */
function afterVote(next: Applied, entry: CaseEntry): Applied {
  if (typeof next === 'string') return next
  return isVoteComplete(next) ? stateAfterVoting(next, 'open') : kept(next, entry)
}

/** The last opened vote ends the ballot. */
function counted(next: Applied): Applied {
  return typeof next === 'string' ? next : afterOpening(next)
}

/** Seconds from now to the last time to which a deadline is moved. */
const MOVED_MOST = 31_536_000

function moved(state: CaseState, to: string, person: CasePerson): Applied {
  if (!isStaff(person)) return 'educators and assistants move deadlines'
  if (state.deadline === null) return 'the stage has no deadline'
  if (to <= state.at) return 'a deadline is moved to a time to come'
  if (to > later(state.at, MOVED_MOST)) return 'a deadline is moved by at most a year from now'
  const { entries: n, deadline: before, isExtended: wasExtended } = state
  const next = { ...state, deadline: to, moves: [...state.moves, { n, before, wasExtended }] }
  if (person.side === null) return next
  if (to < state.deadline) return 'a party to the case can only give more time'
  if (state.isExtended) return 'a party to the case has given more time in this stage already'
  if (to > later(state.deadline, state.filed.settings.times[state.stage as TimedStage]))
    return 'a party to the case gives at most the time of the stage once more'
  return { ...next, isExtended: true }
}

/** Seconds in which a party takes back time that it gave: later others count on it. */
const GIVEN_BACK = 60

/** The deadline is again what it was before somebody moved it. */
function movedBack(state: CaseState, { n, at }: CaseEntry, { side }: CasePerson): Applied {
  const last = state.moves.at(-1)!
  if (last.n !== n) return 'the deadline was moved again since: that is taken back first'
  if (last.before <= state.at) return 'the deadline before it has passed already: move it to another time'
  if (side !== null && state.at > later(at, GIVEN_BACK))
    return `a party takes back time that it gave within ${GIVEN_BACK} seconds`
  const steps = new Map([...state.steps].filter(([each]) => each !== n))
  return { ...state, steps, deadline: last.before, isExtended: last.wasExtended, moves: state.moves.slice(0, -1) }
}

function rule(state: CaseState, act: Extract<CaseAct, { do: 'ruled' }>, { id }: CasePerson): Applied {
  if (state.stage !== 'ruling') return 'no ruling is due now'
  if (id !== state.chair) return 'the chair writes the ruling'
  const { broken, penalty } = state.ballots.at(-1)!.tally!
  if (act.broken !== broken || act.penalty !== penalty) return 'the votes have another result'
  return ruled(state, act.text)
}

function appealed(state: CaseState, act: Extract<CaseAct, { do: 'appealed' }>, person: CasePerson): Applied {
  if (state.stage !== 'appeal') return 'a ruling can be appealed once, in time'
  if (person.side === null) return 'only the two sides appeal'
  const salts = act.salt === null || isStaff(person) ? state.salts : [...state.salts, act.salt]
  // The refused stay out, so that no side has to refuse the same person again.
  const refused = [...state.refusals.values()].filter((each) => each !== null)
  return inStage(
    {
      ...state,
      out: new Set([...state.out, ...refused]),
      ...{ salts, instance: 2, earlier: state.panel, panel: [], reserve: [], filled: [], chair: null },
      ...{ refusals: new Map(), questions: [] },
    },
    'answer',
  )
}
