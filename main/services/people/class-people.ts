import {
  audit,
  closeAccount,
  endAccess,
  isMember,
  memberCalled,
  withPassword,
  type Accounts,
} from '../../administrator/people/accounts.ts'
import { requireNames } from '../../administrator/classroom/name-lock.ts'
import { newPersonId } from '../../administrator/people/joining.ts'
import {
  drawCode,
  keepCodes,
  validCodes,
  type DrawnCode,
  type OneTimeCode,
} from '../../administrator/people/one-time-codes.ts'
import { lastSeen } from '../../administrator/people/sessions.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Caller } from '../../contract/people/caller.ts'
import { nameKey } from '../../contract/names.ts'
import { PEOPLE_MAX, type Person, type PersonId, type Role } from '../../contract/people/people.ts'
import type { ClassMember, PersonChange, RosterImport, Slip } from '../../contract/people/people-procedures.ts'
import { removeGoneMembers } from './teams.ts'
import { planRoster, type JudgedCase, type RosterPlan } from './roster.ts'

// The people of an open class. Every change is written to the audit log, with the caller who made it.

/** The author of a step: a signed-in person, or the person at this machine. */
type By = Pick<Caller, 'person' | 'role'>

/** The consequences that a roster file would have. Throws like `importRoster`. */
export async function previewRoster(
  people: readonly Person[],
  file: Uint8Array,
  judged?: JudgedCase,
): Promise<RosterImport> {
  return reported(planned(people, await rowsOf(file), judged))
}

/**
 * Adds the people of a roster file to a class, and changes those that it has. Nobody is removed, and somebody who asks to join is
 * nobody yet. All or nothing: throws ExpectedError 'usage' with code `roster-invalid`, whose details list every line that cannot
 * be imported.
 */
export async function importRoster(
  accounts: Accounts,
  file: Uint8Array,
  by: By,
  judged?: JudgedCase,
): Promise<RosterImport> {
  const rows = await rowsOf(file)
  const plans: RosterPlan[] = []
  const endFormerAccess = ({ changed: those }: RosterPlan): void => {
    for (const { person, to } of those) if (person.role !== to.role) endAccess(accounts, person.id)
  }
  // First of all: should the program end half-way, nobody keeps the access of a former role. And again, for what was made meanwhile.
  endFormerAccess(planned(accounts.home.content.people, rows, judged))
  await accounts.home.change((content) => {
    const plan = planned(content.people, rows, judged)
    plans.push(plan)
    content.people = applied(content.people, plan, new Date(accounts.now()))
    removeGoneMembers(content)
  })
  const done = plans[0]!
  endFormerAccess(done)
  if (done.added.length + done.changed.length > 0)
    audit(accounts, by.person, 'people.import', {
      added: done.added.length,
      changed: done.changed.map(({ person: { id } }) => id),
    })
  return reported(done)
}

async function rowsOf(
  file: Uint8Array,
): Promise<Pick<RosterPlan, 'problems'> & { rows: Parameters<typeof planRoster>[1] }> {
  // Loaded at its first use, because of its CSV parser: most commands need none.
  const { readRoster, ROSTER_BYTES_MAX } = await import('./roster-file.ts')
  if (file.length > ROSTER_BYTES_MAX)
    throw new ExpectedError('usage', 'too-large', `A roster has at most ${ROSTER_BYTES_MAX / 1024 / 1024} MB.`)
  return readRoster(file)
}

/**
 * A roster never takes in a person who has only asked to join: they could have given any name.
 */
function planned(
  everybody: readonly Person[],
  { rows, problems: unread }: Awaited<ReturnType<typeof rowsOf>>,
  judged: JudgedCase | undefined,
): RosterPlan {
  const people = everybody.filter(({ asking }) => asking === undefined)
  const plan = planRoster(people, rows, judged)
  const problems = [...unread, ...plan.problems].toSorted((a, b) => a.line - b.line)
  const [first] = problems
  if (first !== undefined) {
    const others = problems.length === 1 ? '' : `, and ${problems.length - 1} more cannot be imported`
    throw new ExpectedError(
      'usage',
      'roster-invalid',
      `Line ${first.line} ${first.problem}${others}. Nothing was imported.`,
      problems.map(({ line, problem }) => `Line ${line} ${problem}.`).join('\n'),
    )
  }
  if (everybody.length + plan.added.length > PEOPLE_MAX)
    throw new ExpectedError('usage', 'limit-reached', `A class has at most ${PEOPLE_MAX} people.`)
  return plan
}

/** The people of a class after a plan. */
function applied(people: readonly Person[], plan: RosterPlan, now: Date): Person[] {
  const changes = new Map(plan.changed.map(({ person, to }) => [person.id, to]))
  const kept = people.map((person) => {
    const to = changes.get(person.id)
    if (to === undefined) return person
    const wish = person.pseudonym === undefined ? {} : { pseudonym: person.pseudonym }
    return { id: person.id, added: person.added, ...written(to), ...wish }
  })
  const ids = new Set(people.map(({ id }) => id))
  return [...kept, ...plan.added.map((to) => ({ id: newPersonId(ids), added: now.toISOString(), ...written(to) }))]
}

const written = ({ ids, ...rest }: PersonChange): Omit<Person, 'id' | 'added'> => ({ ...rest, ids: { ...ids } })

const reported = ({ added, changed, gone, unchanged }: RosterPlan): RosterImport => ({
  added,
  changed,
  gone,
  unchanged: unchanged.length,
})

/** The people of a class by name, those who left included, and how each can sign in. */
export function classMembers(accounts: Accounts): readonly ClassMember[] {
  const { home, people, now } = accounts
  const codes = validCodes(people, new Date(now()))
  const passwords = withPassword(accounts)
  const seen = lastSeen(people)
  const teams = new Map(home.content.teams.flatMap((team) => team.members.map((id) => [id, team] as const)))
  return home.content.people
    .map((person) => {
      const last = seen.get(person.id)
      const team = teams.get(person.id)
      return {
        ...person,
        team: team?.name ?? null,
        ...(team?.called === undefined ? {} : { teamCalled: team.called }),
        codeUntil: codes.get(person.id)?.toISOString() ?? null,
        hasPassword: passwords.has(person.id),
        seen: last === undefined ? null : new Date(last).toISOString(),
      }
    })
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

/** The person with this id who is in the class or asks to join. Throws ExpectedError `person-unknown`. */
function personWith({ home }: Accounts, id: PersonId): Person {
  const person = home.content.people.find((each) => each.id === id && each.removed === undefined)
  if (person === undefined)
    throw new ExpectedError('usage', 'person-unknown', 'This person is not in the class, or has left it.')
  return person
}

async function changed(accounts: Accounts, id: PersonId, change: (person: Person) => Person): Promise<Person> {
  await accounts.home.change((content) => {
    content.people = content.people.map((each) => (each.id === id ? change(each) : each))
    removeGoneMembers(content)
  })
  return accounts.home.content.people.find((each) => each.id === id)!
}

/**
 * Changes the name or role of a person. With the role their sessions end, as what they see was made for the former one, and a code that
 * somebody could make for the former role only.
 */
export async function changePerson(
  accounts: Accounts,
  id: PersonId,
  change: { readonly name?: string; readonly role?: Role },
  by: By,
): Promise<void> {
  const before = personWith(accounts, id)
  if (change.name !== undefined && change.name !== before.name) requireNames(accounts.home.content)
  if (by.person === id && change.role !== undefined && change.role !== before.role)
    throw protectedPerson('Nobody changes their own role: another educator can.')
  // Before the change, too: should the program end half-way, they would keep the access of their former role.
  if (change.role !== undefined && change.role !== before.role) endAccess(accounts, id)
  const { name, role } = await changed(accounts, id, (person) => ({ ...person, ...change }))
  if (role !== before.role) endAccess(accounts, id)
  audit(accounts, by.person, 'people.change', {
    person: id,
    ...(name === before.name ? {} : { name: true }),
    ...(role === before.role ? {} : { role: { from: before.role, to: role } }),
  })
}

/**
 * Removes a person from the class, who may come back by a roster. Password, code and sessions end at once; what they handed in
 * stays. Nothing stays of somebody who only asked to join.
 */
export async function removePerson(accounts: Accounts, id: PersonId, by: By): Promise<Person> {
  const before = personWith(accounts, id)
  if (by.person === id) throw protectedPerson('Nobody removes themselves: another educator can.')
  if (before.asking !== undefined) requireNames(accounts.home.content)
  // First of all: should the program end half-way, they would come back with their password. And again, for a code made meanwhile.
  closeAccount(accounts, id)
  const person = before.asking === undefined ? await markRemoved(accounts, id) : await deleted(accounts, before)
  closeAccount(accounts, id)
  audit(accounts, by.person, 'people.remove', { person: id })
  return person
}

function markRemoved(accounts: Accounts, id: PersonId): Promise<Person> {
  return changed(accounts, id, (each) => ({ ...each, removed: new Date(accounts.now()).toISOString() }))
}

async function deleted({ home }: Accounts, person: Person): Promise<Person> {
  await home.change((content) => {
    content.people = content.people.filter(({ id }) => id !== person.id)
  })
  return person
}

/** Makes a new one-time code for a person; it replaces their former one, and when it is used, their password. */
export async function newCode(accounts: Accounts, id: PersonId, by: By): Promise<OneTimeCode> {
  const [code] = await newCodes(accounts, [id], by)
  return code!
}

/** Makes codes for several people: for all of them, or if one cannot have any, for none. */
async function newCodes(accounts: Accounts, ids: readonly PersonId[], by: By): Promise<readonly OneTimeCode[]> {
  // Slips of placeholders would end codes that are given out.
  requireNames(accounts.home.content)
  const check = (): void => {
    for (const id of ids) checkMayHaveCode(personWith(accounts, id), by)
  }
  check()
  const drawn: DrawnCode[] = []
  for (const id of ids) drawn.push(await drawCode(accounts.hasher, id))
  // Somebody may have left, or become an educator, meanwhile.
  check()
  const codes = keepCodes(accounts.people, drawn, new Date(accounts.now()))
  for (const id of ids) audit(accounts, by.person, 'people.code', { person: id })
  return codes
}

function checkMayHaveCode(person: Person, by: By): void {
  if (!isMember(person)) throw protectedPerson(`${person.name} has to be admitted first.`)
  if (by.role === 'assistant' && person.role !== 'student' && person.role !== 'guest')
    throw protectedPerson('An assistant makes codes for students and guests only.')
}

/** New codes for several people, to print. */
export async function newSlips(accounts: Accounts, ids: readonly PersonId[], by: By): Promise<readonly Slip[]> {
  const people = [...new Set(ids)]
  const codes = await newCodes(accounts, people, by)
  return codes.map(({ code, until }, index) => {
    const person = personWith(accounts, people[index]!)
    const signInName = signInNameOf(accounts, person)
    return { person: person.id, name: person.name, signInName, code, until: until.toISOString() }
  })
}

/** The first of a person's names by which they, and nobody else, are found. */
function signInNameOf(accounts: Accounts, { id, name, email, ids }: Person): string {
  const names = [email, ids.school, ids.login, name].filter((each) => each !== undefined)
  return names.find((each) => memberCalled(accounts, each)?.id === id) ?? names[0]!
}

/**
 * Admits somebody who asked to join: from then on they can sign in with the password that they chose. Throws ExpectedError
 * `name-taken` if a member has their name: they could be taken for that one, also by a roster.
 */
export async function admitPerson(accounts: Accounts, id: PersonId, by: By): Promise<void> {
  requireNames(accounts.home.content)
  const { asking, name } = personWith(accounts, id)
  if (asking === undefined) return
  if (accounts.home.content.people.some((each) => isMember(each) && nameKey(each.name) === nameKey(name)))
    throw new ExpectedError(
      'usage',
      'name-taken',
      `Somebody in the class is called "${name}" already: change one of the names first, or refuse the one who asks.`,
    )
  await changed(accounts, id, ({ asking: _, ...person }) => ({ ...person, joined: true }))
  audit(accounts, by.person, 'people.admit', { person: id })
}

function protectedPerson(sentence: string): ExpectedError {
  return new ExpectedError('usage', 'person-protected', sentence)
}
