import { randomBytes } from 'node:crypto'
import { versionsOf } from '../../administrator/classroom/active-versions.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { CaseAct, CasePerson, WantedAct } from '../../contract/cases/case-record.ts'
import type { CaseHead, CaseWish } from '../../contract/cases/case-procedures.ts'
import {
  areTeamSettings,
  COMPLAINTS_MAX,
  type CaseId,
  type Party,
  type Pseudonym,
  type Side,
} from '../../contract/cases/cases.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId } from '../../contract/ids.ts'
import type { PersonId, Role } from '../../contract/people/people.ts'
import { termAt } from '../../contract/people/terms.ts'
import type { TeamId } from '../../contract/people/teams.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'
import { MachineError } from '../../histories/machine-error.ts'
import { newNonce } from '../../histories/nonce.ts'
import { requireTeam, teamNumbered } from '../people/teams.ts'
import { fitsCommitment, lapseOf } from './ballots.ts'
import { momentIn, type CaseClocks } from './case-clock.ts'
import { lotOf, machineTime } from './case-state.ts'
import { barredIn } from './concerned.ts'
import {
  addEntry,
  beginRecord,
  caseIdsIn,
  numberOf,
  openCase,
  pseudonymOf,
  refusalOf,
  type CaseMoment,
  type KeptCase,
} from './kept-case.ts'
import { lotCommitment } from './lot.ts'

/** The cases of an open class. */
export interface ClassCases extends CaseClocks {
  readonly home: Pick<ClassFolder, 'content' | 'folder' | 'key' | 'isReadOnly'>
  /** By their ids, the first one first. */
  readonly kept: Map<CaseId, KeptCase>
  /** Cases whose record cannot be read at all, with the reason as a sentence. Their numbers stay theirs. */
  readonly unreadable: ReadonlyMap<CaseId, string>
  /** The arrivals of steps in cases whose evidence is still being read, by the time of their records, in ms since the epoch. */
  readonly arrivals: Map<CaseId, readonly number[]>
  /** Called after each change of a case. */
  onChange(id: CaseId): void
}

/** Somebody who acts. `person` null: the person at this machine. */
export interface CaseActor {
  readonly person: PersonId | null
  /** At present. */
  readonly role: Role | null
  /** An educator or assistant looks at the class as this person sees it: the person's pseudonym stays theirs. */
  readonly isSeen?: boolean | undefined
}

/** Opens the cases of a class; `catchUp` then does what its deadlines want. Throws MachineError. */
export function openCases(
  home: ClassCases['home'],
  hooks: Pick<ClassCases, 'now' | 'steady' | 'onChange'>,
): ClassCases {
  const kept = new Map<CaseId, KeptCase>()
  const unreadable = new Map<CaseId, string>()
  for (const id of caseIdsIn(home.folder)) {
    const found = openCase(home.folder, id, home.key, home.isReadOnly)
    if (typeof found === 'string') unreadable.set(id, found)
    else if (found !== null) kept.set(id, found)
  }
  return { home, kept, unreadable, arrivals: new Map(), ...hooks }
}

/** Throws ExpectedError 'usage' for an unknown case. */
export function caseNumbered({ kept }: Pick<ClassCases, 'kept'>, id: CaseId): KeptCase {
  const found = kept.get(id)
  if (found === undefined) throw unknownCase(id)
  return found
}

export const unknownCase = (id: CaseId): ExpectedError =>
  new ExpectedError('usage', 'case-unknown', `The case ${id} is unknown.`)

export function headOfCase({ entries }: KeptCase): CaseHead {
  const { b, h } = entries.at(-1)!
  return { n: b.n, head: h }
}

/**
 * The complaints that somebody has left for their team in this term: one that is won is given back, and so is one that nobody judged.
 * Those of a team count for the team, and for each of its members at that time in any other team, so that a new team has no new ones.
 * Those of earlier terms do not count.
 */
export function complaintsLeft(
  { kept, home, now }: Pick<ClassCases, 'kept' | 'home' | 'now'>,
  team: TeamId,
  person: PersonId | null,
): number {
  const { from } = termAt(home.content.settings.terms, new Date(now()).toISOString()) ?? { from: '' }
  const used = [...kept.values()].filter(({ entries, state: { filed, outcome } }) => {
    if (filed.filer.who !== 'team' || entries[0]!.b.at < from) return false
    return outcome !== 'upheld' && outcome !== 'unheard'
  })
  const ofTeam = used.filter(({ state: { filed } }) => filed.filer.who === 'team' && filed.filer.team === team)
  const ofPerson = used.filter((each) => {
    const id = person === null ? null : pseudonymOf(each, person)
    return id !== null && each.state.people.get(id)?.side === 'filer'
  })
  return Math.max(0, COMPLAINTS_MAX - Math.max(ofTeam.length, ofPerson.length))
}

const refusedComplaint = (message: string): ExpectedError => new ExpectedError('usage', 'complaint-refused', message)

/**
 * Files a complaint of the actor's team, or of the educator. Throws ExpectedError 'usage' if the team has no complaint left, or if what
 * it is against does not exist or is its own.
 */
export function fileCase(cases: ClassCases, actor: CaseActor, wish: CaseWish): KeptCase {
  const { home, kept } = cases
  const { content, folder, key } = home
  const filer: Party = actor.role === 'student' ? partyOf(requireTeam(content, actor.person)) : { who: 'educator' }
  if (filer.who === 'team' && complaintsLeft(cases, filer.team, actor.person) === 0)
    throw new ExpectedError(
      'usage',
      'complaints-used',
      `A team has ${COMPLAINTS_MAX} complaints a term; one is given back when its case is won, or when nobody was left to judge it.`,
    )
  if (filer.who === 'team' && !areTeamSettings(wish.settings))
    throw refusedComplaint(
      'A team files with the usual settings: it can only give more time and ask for a higher quorum. Staff can change them when the case is admitted.',
    )
  const other = otherParty(cases, wish)
  if (filer.who === other.who && (filer.who === 'educator' || filer.team === (other as typeof filer).team))
    throw refusedComplaint('A complaint has to be about somebody else.')
  const { people, behind } = castOf(content, filer, other)
  const seeds: [string, string] = [newNonce(), newNonce()]
  const by = Object.entries(behind).find(([, each]) => each === personOf(content, actor.person))?.[0]
  if (by === undefined) throw refusedComplaint('Only people of the class file complaints.')
  const id = `case-${1 + Math.max(0, ...[...kept.keys(), ...cases.unreadable.keys()].map(numberOf))}`
  const act: CaseAct = {
    ...{ do: 'filed', ...wish, filer, other, people },
    lots: [lotCommitment(seeds[0]), lotCommitment(seeds[1])],
  }
  const begun = { time: cases.now(), steady: cases.steady() }
  const made = beginRecord(folder, id, key, begun, by, act, { people: behind, seeds })
  if (typeof made === 'string') throw refusedComplaint(`The complaint cannot be filed: ${made}.`)
  kept.set(id, made)
  cases.onChange(id)
  return made
}

function partyOf({ id, name }: { readonly id: TeamId; readonly name: string }): Party {
  return { who: 'team', team: id, name }
}

/** The side that has to answer: the team of an agent, or the educator. */
function otherParty({ home: { content }, kept }: ClassCases, { contest, against }: CaseWish): Party {
  const entry = content.contests.find(({ id }) => id === contest)
  if (entry === undefined) throw new ExpectedError('usage', 'contest-unknown', `The contest ${contest} is unknown.`)
  if (against.what === 'ruling') checkRuling(kept, contest, against.case)
  if (against.what !== 'agent') return { who: 'educator' }
  const entrant = entry.description.entrants.find(({ name }) => name === against.name)
  if (entrant === undefined)
    throw new ExpectedError(
      'usage',
      'entrant-unknown',
      `"${against.name}" does not play in "${entry.description.title}".`,
    )
  // The agent may have another name by now, or be that of a team's own machine.
  const registered = entry.registration?.entries.find(({ plays, entrant: name }) => plays && name === entrant.name)
  const owner = registered?.team ?? versionsOf(content.agents, entrant)[0]?.owner
  return owner === undefined ? { who: 'educator' } : partyOf(teamNumbered(content, owner))
}

/** A ruling can be complained about once it is final, in its own contest, and by one case at a time. */
function checkRuling(kept: ClassCases['kept'], contest: ContestId, id: CaseId): void {
  const found = kept.get(id)?.state
  // Those of other contests are answered like none: not everybody sees them.
  if (found === undefined || found.filed.contest !== contest || found.rulings.length === 0)
    throw refusedComplaint(`The case ${id} has no ruling in this contest.`)
  if (found.stage !== 'closed') throw refusedComplaint(`The ruling of ${id} is not final yet: a side can appeal.`)
  const other = [...kept.values()].find(({ state: { filed, outcome } }) => {
    const isAbout = filed.against.what === 'ruling' && filed.against.case === id
    return isAbout && (outcome === 'open' || outcome === 'upheld')
  })
  if (other !== undefined) throw refusedComplaint(`${other.id} is about the ruling of ${id} already.`)
}

type Content = Pick<Classroom, 'people' | 'teams'>

const isHere = ({ removed, asking }: Content['people'][number]): boolean =>
  removed === undefined && asking === undefined

/** The person who acts: the first educator with an account stands for the person at this machine, so that nobody is there twice. */
function personOf({ people }: Content, person: PersonId | null): PersonId | null {
  return person ?? people.find((each) => each.role === 'educator' && isHere(each))?.id ?? null
}

/** The people of the class under new pseudonyms. `behind`: who they are. */
function castOf(
  content: Content,
  filer: Party,
  other: Party,
): { readonly people: CasePerson[]; readonly behind: Record<Pseudonym, PersonId | null> } {
  const sideOf = (person: PersonId | null, role: CasePerson['role']): Side | null => {
    const isOf = (party: Party): boolean =>
      party.who === 'educator'
        ? role === 'educator'
        : person !== null && content.teams.some(({ id, members }) => id === party.team && members.includes(person))
    return isOf(filer) ? 'filer' : isOf(other) ? 'other' : null
  }
  const members = content.people.filter(isHere).flatMap(({ id, role }) => (role === 'guest' ? [] : [{ id, role }]))
  const host = members.some(({ role }) => role === 'educator') ? [] : [{ id: null, role: 'educator' as const }]
  const cast = [...members, ...host].map(({ id, role }) => ({
    person: id,
    each: { id: randomBytes(8).toString('hex'), role, side: sideOf(id, role) },
  }))
  return {
    people: cast.map(({ each }) => each).sort((a, b) => (a.id < b.id ? -1 : 1)),
    behind: Object.fromEntries(cast.map(({ person, each }) => [each.id, person])),
  }
}

/** The pseudonym of an actor in a case; null: they have none. */
export function actorIn(
  { home }: Pick<ClassCases, 'home'>,
  kept: KeptCase,
  { person, isSeen }: CaseActor,
): Pseudonym | null {
  if (isSeen === true) return null
  return pseudonymOf(kept, person) ?? pseudonymOf(kept, personOf(home.content, person))
}

/**
 * Takes a step for somebody. Throws ExpectedError 'usage' `case-step-refused` with the reason if it is not their turn. Deadlines
 * that have passed are followed before and after it.
 */
export function actInCase(cases: ClassCases, id: CaseId, actor: CaseActor, wanted: WantedAct): CaseHead {
  const kept = caseNumbered(cases, id)
  catchUpCase(cases, kept)
  return record(cases, kept, momentIn(cases, kept), stepOf(cases, kept, actor, wanted))
}

/**
 * The same for a step that has to be compared with the class, which takes time. The rules are asked first, and the step counts at the time
 * at which it arrived: its stage does not lapse meanwhile. Rejects with the error of `compare`, too.
 */
export async function actOnceCompared(
  cases: ClassCases,
  id: CaseId,
  actor: CaseActor,
  wanted: WantedAct,
  compare: () => Promise<void>,
): Promise<CaseHead> {
  const kept = caseNumbered(cases, id)
  catchUpCase(cases, kept)
  const arrived = momentIn(cases, kept)
  const { by, act } = stepOf(cases, kept, actor, wanted)
  const why = refusalOf(kept, by, arrived.time, act)
  if (why !== null) throw refusedStep(id, why)
  cases.arrivals.set(id, [...(cases.arrivals.get(id) ?? []), arrived.time])
  try {
    await compare()
    return record(cases, kept, arrived, stepOf(cases, kept, actor, wanted))
  } finally {
    const others = [...cases.arrivals.get(id)!]
    others.splice(others.indexOf(arrived.time), 1)
    if (others.length === 0) cases.arrivals.delete(id)
    else cases.arrivals.set(id, others)
    if (catchUpCase(cases, kept)) cases.onChange(id)
  }
}

const refusedStep = (id: CaseId, why: string): ExpectedError =>
  new ExpectedError('usage', 'case-step-refused', `This cannot be done in ${id}: ${why}.`)

interface OwnStep {
  readonly by: Pseudonym
  readonly act: CaseAct
}

/** A wanted step as it enters the record. Throws ExpectedError 'usage' `case-step-refused`. */
function stepOf(cases: ClassCases, kept: KeptCase, actor: CaseActor, wanted: WantedAct): OwnStep {
  const by = actorIn(cases, kept, actor)
  if (by === null) throw refusedStep(kept.id, 'only people of the class at the time of the complaint take part')
  if (isOfStaff(wanted, kept) && actor.role === 'student')
    throw refusedStep(kept.id, 'only educators and assistants do this')
  const act = recordedAct(kept, by, wanted)
  if (act === null) throw refusedStep(kept.id, 'only somebody who could be drawn can be refused')
  return { by, act }
}

function record(cases: ClassCases, kept: KeptCase, at: CaseMoment, { by, act }: OwnStep): CaseHead {
  const why = addEntry(kept, cases.home.key, at, by, act)
  if (why !== null) throw refusedStep(kept.id, why)
  const head = headOfCase(kept)
  catchUpCase(cases, kept)
  cases.onChange(kept.id)
  return head
}

/** True for steps of educators and assistants. Their role in the record can have been taken away since. */
export function isOfStaff(act: Pick<WantedAct, 'do'>, { state }: Pick<KeptCase, 'state'>): boolean {
  if (act.do === 'ended') return state.stage !== 'hearing'
  return act.do === 'admitted' || act.do === 'dismissed' || act.do === 'deadline'
}

/** A wanted step as it enters the record; null: it names a person who is not in the case. */
function recordedAct(kept: KeptCase, by: Pseudonym, wanted: WantedAct): CaseAct | null {
  if (wanted.do === 'opened') return { ...wanted, fits: fitsCommitment(kept.state, by, wanted) }
  if (wanted.do !== 'refused' || wanted.person === null) return wanted
  const person = pseudonymOf(kept, wanted.person)
  return person === null ? null : { ...wanted, person }
}

/**
 * Does what is due in all cases: deadlines that have passed, lots, people who have left. A case whose disk fails is left as it is, and
 * the first such failure is thrown at the end, as a MachineError.
 */
export function catchUp(cases: ClassCases): void {
  const failures: MachineError[] = []
  for (const kept of cases.kept.values()) {
    try {
      if (catchUpCase(cases, kept)) cases.onChange(kept.id)
    } catch (error) {
      if (!(error instanceof MachineError)) throw error
      failures.push(error)
    }
  }
  if (failures[0] !== undefined) throw failures[0]
}

/** The time of the next deadline on the clock of the machine, in ms since the epoch; null: there is none. */
export function nextDeadline({ kept, now }: Pick<ClassCases, 'kept' | 'now'>): number | null {
  const at = now()
  const times = [...kept.values()].flatMap(({ damage, state }) =>
    damage !== null || state.deadline === null ? [] : [Date.parse(state.deadline) - (machineTime(state, at) - at)],
  )
  return times.length === 0 ? null : Math.min(...times)
}

/** Returns true if something was due. */
function catchUpCase(cases: ClassCases, kept: KeptCase): boolean {
  const { home } = cases
  if (home.isReadOnly || kept.damage !== null) return false
  let isChanged = false
  for (;;) {
    // One reading: a deadline that passes between two of them would refuse what was due.
    const moment = momentIn(cases, kept)
    const act = dueAct(cases, kept, moment)
    if (act === null) return isChanged
    const why = addEntry(kept, home.key, moment, null, act)
    if (why !== null) throw new Error(`${kept.id}: ${why}`)
    isChanged = true
  }
}

/** The entry that the program owes at a moment; null: none. */
function dueAct(cases: ClassCases, kept: KeptCase, { time, ahead }: ReturnType<typeof momentIn>): CaseAct | null {
  const { state, secrets } = kept
  const { stage, deadline } = state
  if (stage === 'closed') return null
  const { people } = cases.home.content
  const here = new Set(people.filter(isHere).map(({ id }) => id))
  const gone = Object.entries(secrets.people).find(
    ([id, person]) => person !== null && !state.gone.has(id) && !here.has(person),
  )
  const left: CaseAct | null = gone === undefined ? barredIn(cases, kept) : { do: 'left', person: gone[0] }
  // Nobody who has left, or is of a team concerned, is drawn.
  if (stage === 'draw' && left !== null) return left
  if (stage === 'draw') {
    const seed = secrets.seeds[state.instance - 1]!
    const { panel, filled } = lotOf(state, seed)
    return { do: 'drawn', seed, panel: [...panel], filled: [...filled] }
  }
  const isDue = (when: number): boolean => deadline !== null && when >= Date.parse(deadline)
  // A step that arrived in time is still compared with the class: until then nothing lapses.
  if (isDue(time) && (cases.arrivals.get(kept.id) ?? []).some((arrived) => !isDue(arrived))) return null
  if (isDue(time)) return lapseOf(state, stage)
  return ahead === null ? left : { do: 'clock', ahead }
}
