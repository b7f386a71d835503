import type { ActOf, CaseAct, CasePerson, WantedAct } from '../../contract/cases/case-record.ts'
import type {
  CaseList,
  CaseProgress,
  CaseSummary,
  CaseView,
  Precedent,
  UncountedVote,
} from '../../contract/cases/case-procedures.ts'
import {
  caseQuestion,
  consequences,
  isBeforeVote,
  type CaseId,
  type CaseQuestion,
  type Party,
  type Pseudonym,
} from '../../contract/cases/cases.ts'
import type { RecordedCase } from '../../contract/cases/opened-case.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId } from '../../contract/ids.ts'
import { isPseudonymous } from '../../contract/people/pseudonyms.ts'
import { inOffice } from './ballots.ts'
import { momentIn } from './case-clock.ts'
import type { CaseState } from './case-state.ts'
import { actorIn, caseNumbered, headOfCase, isOfStaff, type CaseActor, type ClassCases } from './class-cases.ts'
import { refusalOf, type CaseRecord, type KeptCase } from './kept-case.ts'

/** The cases that a viewer may see, the newest first. `sees`: the contests that they may. */
export function listCases(
  cases: ClassCases,
  viewer: CaseActor,
  sees: (contest: ContestId) => boolean,
  { contest, search, offset, limit }: { contest: string | null; search: string; offset: number; limit: number },
): CaseList {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const found = [...cases.kept.values()]
    .reverse()
    .filter(({ state: { filed } }) => sees(filed.contest) && (contest === null || filed.contest === contest))
    .filter(({ id, state: { filed } }) => {
      const { rule, text, filer, other, against } = filed
      const all = JSON.stringify([id, rule, text, filer, other, against]).toLowerCase()
      return words.every((word) => all.includes(word))
    })
  const items = found.slice(offset, offset + limit).map((kept) => summaryOf(cases, kept, viewer))
  // The contest of such a case is unknown, so that nobody knows who may see it.
  return { total: found.length, offset, items, unreadable: isStaff(viewer) ? [...cases.unreadable.keys()] : [] }
}

const isStaff = ({ role }: CaseActor): boolean => role === 'educator' || role === 'assistant'

/** True for both sides of a case, its panel and staff. False for an unknown case. */
export function isOfCase(cases: ClassCases, id: CaseId, viewer: CaseActor): boolean {
  const kept = cases.kept.get(id)
  if (kept === undefined) return false
  return isStaff(viewer) || summaryOf(cases, kept, viewer).part !== null
}

/** Throws ExpectedError 'usage' if somebody shares no evidence with a case: they are not of it, or its vote has begun. */
export function checkSharing(cases: ClassCases, id: CaseId, actor: CaseActor): void {
  const { stage } = caseNumbered(cases, id).state
  const refused = (why: string): ExpectedError =>
    new ExpectedError('usage', 'case-sharing-refused', `A dossier is not shared with ${id} now: ${why}.`)
  if (!isOfCase(cases, id, actor)) throw refused('only its sides, its panel, educators and assistants do this')
  if (!isBeforeVote(stage)) throw refused('its vote has begun')
}

/**
 * The closed cases in which a rule of a book was judged, oldest first. `book`: a game, or `security`; `isOf`: true for contests that the
 * viewer sees and to which the book applies.
 */
export function precedentsIn(
  { kept }: Pick<ClassCases, 'kept'>,
  book: string,
  isOf: (contest: ContestId) => boolean,
): readonly Precedent[] {
  const source = book === 'security' ? 'security-policy' : 'rulebook'
  return [...kept.values()].flatMap(({ id, state: { filed, outcome } }) => {
    if ((outcome !== 'upheld' && outcome !== 'rejected') || filed.rule.source !== source || !isOf(filed.contest))
      return []
    return [{ case: id, rule: filed.rule.id, broken: outcome === 'upheld' }]
  })
}

export function progressOf(kept: KeptCase): CaseProgress {
  const { stage, deadline } = kept.state
  return { ...headOfCase(kept), stage, deadline }
}

function nameOf(party: Party): string | null {
  return party.who === 'team' ? party.name : null
}

/** Paths of the machine are for those who administer the class. */
const DAMAGED = 'The record of this case is damaged, so that it does not go on: tell your educator.'

/**
 * The one whose part and steps a viewer is shown: themselves, or the person as whom staff look at the class. Staff do not learn by it who judges under
 * hidden names.
 */
function shownAs(cases: ClassCases, kept: KeptCase, viewer: CaseActor): Pseudonym | null {
  const self = actorIn(cases, kept, { ...viewer, isSeen: false })
  return viewer.isSeen === true && self !== null && isHiddenJudge(kept.state, self) ? null : self
}

/** True for somebody who judges, or may, whose name the settings hide until their ruling. */
function isHiddenJudge({ filed, rulings, instance, earlier, panel, people }: CaseState, id: Pseudonym): boolean {
  const isShown = earlier.includes(id) || (rulings.length >= instance && panel.includes(id))
  return filed.settings.hideNames && people.get(id)?.side === null && !isShown
}

function summaryOf(cases: ClassCases, kept: KeptCase, viewer: CaseActor): CaseSummary {
  const me = shownAs(cases, kept, viewer)
  const damage = kept.damage !== null && viewer.role === 'student' ? DAMAGED : kept.damage
  const { people, chair } = kept.state
  const isJudge = me !== null && inOffice(kept.state).includes(me)
  const part = isJudge ? (chair === me ? 'chair' : 'panel') : me === null ? null : (people.get(me)?.side ?? null)
  return { ...recordedSummary(kept), part, hasActed: me !== null && hasActed(kept.state, me), damage }
}

/** True if somebody, or their side, has taken the one step that the stage waits for, or has no vote to open. */
function hasActed(
  { stage, instance, people, answered, refusals, nominations, panel, ballots }: CaseState,
  me: Pseudonym,
): boolean {
  const own = ballots.at(-1)?.votes.filter(({ voter }) => voter === me) ?? []
  const side = people.get(me)?.side ?? null
  switch (stage) {
    case 'answer':
      return instance === 1 ? side === 'other' && answered !== null : side !== null && refusals.has(side)
    case 'election':
      return nominations.has(me)
    case 'voting':
      return own.length === caseQuestion.options.length
    case 'opening':
      return panel.includes(me) && own.every(({ state }) => state !== 'sealed')
    default:
      return false
  }
}

function recordedSummary({ id, state, entries }: CaseRecord): Omit<CaseSummary, 'part' | 'hasActed' | 'damage'> {
  const { filed, stage, instance, deadline, outcome } = state
  const { source, id: rule, sha256 } = filed.rule
  return {
    ...{ n: entries.length, head: entries.at(-1)!.h },
    ...{ case: id, contest: filed.contest, filer: nameOf(filed.filer), other: nameOf(filed.other) },
    ...{ against: filed.against, rule: { source, id: rule, sha256 }, filedAt: entries[0]!.b.at },
    ...{ stage, instance, deadline, outcome },
  }
}

/** A case as its record alone shows it. */
export function viewRecord(record: CaseRecord): RecordedCase {
  const { state, entries } = record
  const { filed, stage, panel, filled, chair, penalties, exhibits, questions, rulings } = state
  return {
    ...recordedSummary(record),
    ...{ settings: filed.settings, text: filed.text, ruleText: filed.rule.text, asks: filed.asks },
    exhibits: [...exhibits],
    people: filed.people,
    consequence: state.deadline === null || stage === 'draw' || stage === 'closed' ? null : consequences[stage],
    ...{ penalties: penalties === null ? null : [...penalties], panel: [...panel], filled: [...filled], chair },
    questions: questions.map((each) => ({ ...each, open: [...each.open] })),
    ...{ late: [...state.late], rulings: [...rulings] },
    stages: [...state.stages],
    ballots: state.ballots.map(({ number, instance, votes, tally }) => ({
      ...{ number, instance },
      votes: votes.map(({ voter, question, state: vote }) => ({ voter, question, state: vote })),
      result:
        tally === null
          ? null
          : {
              ...{ hasQuorum: tally.hasQuorum, broken: tally.broken, penalty: tally.penalty },
              casting: [...tally.casting],
            },
    })),
    entries: entries.map(({ b: { n, at, by, act }, h }) => ({ n, at, by, act, head: h })),
  }
}

/** A case as somebody sees it. `uncounted` comes from `CountedRulings`. */
export function viewCase(cases: ClassCases, kept: KeptCase, viewer: CaseActor): Omit<CaseView, 'uncounted'> {
  const { state } = kept
  const recorded = viewRecord(kept)
  const me = actorIn(cases, kept, viewer)
  const shown = shownAs(cases, kept, viewer)
  const { time } = momentIn(cases, kept)
  const taken = shown === null || kept.damage !== null ? [] : stepsOf(kept, shown, time)
  const steps = taken.filter((step) => viewer.role !== 'student' || !isOfStaff({ do: step }, kept))
  return {
    ...recorded,
    ...summaryOf(cases, kept, viewer),
    ...{ people: peopleView(cases, kept, viewer, shown), me, steps },
    undoable: me === null || kept.damage !== null ? [] : undoableBy(kept, me, time),
    refusable: steps.includes('refused') ? refusable(cases, kept) : [],
    ballots: recorded.ballots.map((ballot) => ({
      ...ballot,
      votes: ballot.votes.map((vote) => ({
        ...vote,
        state: ballot.result === null && vote.voter !== me && vote.state !== 'sealed' ? 'opened' : vote.state,
      })),
    })),
    entries: recorded.entries.map((entry) => {
      const { n, by, act } = entry
      return act.do === 'opened' && isUncounted(state, n) && by !== me
        ? { ...entry, act: hiddenVote(act.question) }
        : entry
    }),
    now: new Date(time).toISOString(),
  }
}

/** True for entries since votes are being opened: the ballot is not counted. */
const isUncounted = ({ stage, began }: CaseState, n: number): boolean => stage === 'opening' && n > began

const hiddenVote = (question: CaseQuestion): UncountedVote => ({ do: 'opened', question, isHidden: true })

/** The entries that everybody may have: while votes are opened, those up to then. */
export function shownEntries({ state, entries }: Pick<KeptCase, 'state' | 'entries'>): KeptCase['entries'] {
  return entries.filter(({ b: { n } }) => !isUncounted(state, n))
}

const nameIn = ({ home: { content } }: ClassCases, kept: KeptCase, id: Pseudonym): string | null => {
  const person = kept.secrets.people[id]
  // The person at this machine has no account, and is the educator.
  if (person === null) return 'The educator'
  return content.people.find((each) => each.id === person)?.name ?? null
}

const appearsUnderPseudonym = ({ home: { content } }: ClassCases, kept: KeptCase, id: Pseudonym): boolean =>
  content.people.some((each) => each.id === kept.secrets.people[id] && isPseudonymous(content, each))

/**
 * Students know the names of those who judge, of their own side and of the staff; sides are known by their teams. If the settings say
 * so, names of those who may judge are hidden, except for one's own; a ruling shows those who gave it, and nobody who may still be drawn.
 * Students under pseudonyms have no name for students but those of their side.
 */
function peopleView(
  cases: ClassCases,
  kept: KeptCase,
  { role: viewer }: CaseActor,
  me: Pseudonym | null,
): CaseView['people'] {
  const { filed, earlier, panel, people } = kept.state
  const judges = new Set([...panel, ...earlier])
  const own = me === null ? null : (people.get(me)?.side ?? null)
  const isKnown = ({ id, role, side }: CasePerson): boolean => {
    if (id === me) return true
    if (viewer === 'student' && (side === null || side !== own) && appearsUnderPseudonym(cases, kept, id)) return false
    if (side === null && filed.settings.hideNames) return !isHiddenJudge(kept.state, id)
    return viewer !== 'student' || role !== 'student' || judges.has(id) || (side !== null && side === own)
  }
  return filed.people.map((person) => {
    const { id, role, side } = person
    return { id, role, side, name: isKnown(person) ? nameIn(cases, kept, id) : null }
  })
}

/** By name alone: the pseudonym of somebody who is drawn later stays unknown. */
function refusable(cases: ClassCases, kept: KeptCase): CaseView['refusable'] {
  const { people, out } = kept.state
  return [...people.values()]
    .flatMap(({ id, side }) => {
      const person = kept.secrets.people[id] ?? null
      const name = nameIn(cases, kept, id)
      return side === null && !out.has(id) && person !== null && name !== null ? [{ person, name }] : []
    })
    .sort((a, b) => a.name.localeCompare(b.name))
}

/** True for an act that the rules accept now. */
const accepts = (kept: KeptCase, by: Pseudonym, time: number, act: CaseAct): boolean =>
  refusalOf(kept, by, time, act) === null

/** The steps that somebody can take now: the rules say so. */
function stepsOf(kept: KeptCase, by: Pseudonym, time: number): readonly WantedAct['do'][] {
  const allowed = triesOf(kept.state, by).filter((act) => accepts(kept, by, time, act))
  return [...new Set(allowed.map((act) => act.do))]
}

/** The entries of somebody that they can take back now. */
function undoableBy(kept: KeptCase, by: Pseudonym, time: number): readonly number[] {
  const own = [...kept.state.steps].filter(([, step]) => step.by === by)
  return own.flatMap(([n]) => (accepts(kept, by, time, { do: 'undone', n }) ? [n] : []))
}

type Step = Extract<CaseAct, { readonly do: WantedAct['do'] }>

/** One step of each kind, as it could be taken by somebody. */
function triesOf(state: CaseState, by: Pseudonym): readonly Step[] {
  const side = state.people.get(by)?.side ?? null
  const due = side === null ? undefined : state.questions.find(({ open }) => open.includes(side))
  const result = state.ballots.at(-1)?.tally
  const later = new Date(Date.parse(state.deadline ?? state.at) + 1_000).toISOString()
  const own = [...state.steps.values()].find((step) => step.by === by)
  const vote = { reason: '-', nonce: '0'.repeat(64), choice: 'abstain' }
  const questions = ['broken', 'penalty'] as const
  const ended: readonly ActOf<'ended'>['stage'][] = ['answer', 'election', 'hearing']
  return [
    { do: 'admitted', reason: '-', penalties: state.filed.asks.length === 0 ? [[]] : [[], state.filed.asks] },
    { do: 'dismissed', reason: '-' },
    { do: 'answered', text: '-', evidence: [], salt: null },
    { do: 'volunteered', salt: null },
    { do: 'refused', person: null, salt: null },
    { do: 'conflict', reason: '' },
    { do: 'elected', chair: state.panel[0] ?? by },
    { do: 'asked', to: 'both', text: '-' },
    { do: 'replied', to: due?.n ?? null, text: '-' },
    { do: 'exhibited', exhibit: state.filed.evidence[0]! },
    ...ended.map((stage) => ({ do: 'ended', stage }) as const),
    ...questions.map((question) => ({ do: 'voted', question, commitment: '0'.repeat(64) }) as const),
    ...questions.map((question) => ({ do: 'opened', question, ...vote, fits: false }) as const),
    { do: 'deadline', to: later, reason: '-' },
    { do: 'ruled', broken: result?.broken ?? false, penalty: result?.penalty ?? 0, text: '-' },
    { do: 'appealed', text: '-', salt: null },
    { do: 'withdrawn', reason: '' },
    ...(own === undefined ? [] : [{ do: 'undone', n: own.n } as const]),
  ]
}
