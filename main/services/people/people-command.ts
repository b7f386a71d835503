import { randomBytes } from 'node:crypto'
import { openClassFolder, readClass, type ClassFolder } from '../../administrator/classroom/classroom.ts'
import {
  closePeopleDatabase,
  forgetCode,
  makeCode,
  openPeopleDatabase,
  readValidCodes,
  type OneTimeCode,
  type PeopleDatabase,
} from '../../administrator/people/people-database.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { didYouMean } from '../../contract/near-miss.ts'
import { nameKey } from '../../contract/names.ts'
import { PEOPLE_MAX, type Person } from '../../contract/people/people.ts'
import { readBytes } from '../files/read-file.ts'
import { existingClass, requireDataFolder } from '../machine/existing-class.ts'
import { planRoster, type PersonChange, type RosterPlan, type RosterRow } from './roster.ts'

// The people of a class, for the command line.

/** The effect of importing a roster, or with `dryRun` the effect that it would have. */
export interface RosterImport extends Pick<RosterPlan, 'added' | 'changed' | 'gone'> {
  readonly unchanged: number
}

/**
 * Adds the people of a roster file to a class, and changes those that it has. Nobody is removed. All or nothing: throws
 * ExpectedError 'usage' with code `roster-invalid`, whose details list every line that cannot be imported.
 */
export async function importRoster(data: string, file: string, dryRun: boolean): Promise<RosterImport> {
  // Loaded at its first use, because of its CSV parser: most commands need none.
  const { readRoster, ROSTER_BYTES_MAX } = await import('./roster-file.ts')
  const { rows, problems } = readRoster(await readBytes(file, ROSTER_BYTES_MAX))
  const now = new Date()
  if (dryRun) return reported(planned((await readClass(data)).people, rows, problems))
  const home = await openClassFolder(data)
  try {
    let plan: RosterPlan | null = null
    await home.change((content) => {
      plan = planned(content.people, rows, problems)
      content.people = applied(content.people, plan, now)
    })
    return reported(plan!)
  } finally {
    await home.close()
  }
}

function planned(people: readonly Person[], rows: readonly RosterRow[], unread: RosterPlan['problems']): RosterPlan {
  const plan = planRoster(people, rows)
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
  if (people.length + plan.added.length > PEOPLE_MAX)
    throw new ExpectedError('usage', 'limit-reached', `A class has at most ${PEOPLE_MAX} people.`)
  return plan
}

/** The people of a class after a plan. */
function applied(people: readonly Person[], plan: RosterPlan, now: Date): Person[] {
  const changes = new Map(plan.changed.map(({ person, to }) => [person.id, to]))
  const kept = people.map((person) => {
    const to = changes.get(person.id)
    return to === undefined ? person : { id: person.id, added: person.added, ...written(to) }
  })
  const ids = new Set(people.map(({ id }) => id))
  return [...kept, ...plan.added.map((to) => ({ id: freshId(ids), added: now.toISOString(), ...written(to) }))]
}

const written = ({ ids, ...rest }: PersonChange): Omit<Person, 'id' | 'added'> => ({ ...rest, ids: { ...ids } })

function freshId(taken: Set<string>): string {
  let id: string
  do id = randomBytes(8).toString('hex')
  while (taken.has(id))
  taken.add(id)
  return id
}

const reported = ({ added, changed, gone, unchanged }: RosterPlan): RosterImport => ({
  added,
  changed,
  gone,
  unchanged: unchanged.length,
})

/** A person of the class, and how they can sign in. */
export interface ListedPerson extends Person {
  /** Their one-time code is valid until then; null: they have none. */
  readonly codeUntil: string | null
}

/** The people of a class by name, those who left included. */
export async function listPeople(data: string): Promise<readonly ListedPerson[]> {
  const people = (await existingClass(data)).people.toSorted((a, b) => a.name.localeCompare(b.name))
  const codes = readValidCodes(data, new Date())
  return people.map((person) => ({ ...person, codeUntil: codes.get(person.id)?.toISOString() ?? null }))
}

/** Makes a new one-time code for a person. `who`: a name, an e-mail address or an identifier. */
export async function newCode(data: string, who: string): Promise<OneTimeCode & { readonly person: Person }> {
  return withPeople(data, async (home, database) => {
    const person = personCalled(home.content.people, who)
    return { person, ...(await makeCode(database, person.id, new Date())) }
  })
}

/** Removes a person from the class, who may come back by a roster. Their code is no longer valid; what they handed in stays. */
export async function removePerson(data: string, who: string): Promise<Person> {
  return withPeople(data, async (home, database) => {
    const { id } = personCalled(home.content.people, who)
    const removed = new Date().toISOString()
    forgetCode(database, id)
    await home.change((content) => {
      content.people = content.people.map((each) => (each.id === id ? { ...each, removed } : each))
    })
    return home.content.people.find((each) => each.id === id)!
  })
}

async function withPeople<T>(
  data: string,
  task: (home: ClassFolder, database: PeopleDatabase) => Promise<T>,
): Promise<T> {
  requireDataFolder(data)
  const home = await openClassFolder(data)
  try {
    const database = openPeopleDatabase(data)
    try {
      return await task(home, database)
    } finally {
      closePeopleDatabase(database)
    }
  } finally {
    await home.close()
  }
}

/** Throws ExpectedError 'usage' if nobody of the class, or more than one person, is meant. */
function personCalled(people: readonly Person[], who: string): Person {
  const key = nameKey(who)
  const candidates = people.filter(({ removed }) => removed === undefined)
  const exact = candidates.filter(({ id, email = '', ids }) =>
    [id, email, ...Object.values(ids)].some((each) => each !== '' && nameKey(each) === key),
  )
  const meant = exact.length > 0 ? exact : candidates.filter(({ name }) => nameKey(name) === key)
  const [person] = meant
  if (person === undefined) {
    const names = candidates.map(({ name }) => name)
    throw new ExpectedError(
      'usage',
      'person-unknown',
      `Nobody in the class is called "${who}".${didYouMean(who, names)}`,
    )
  }
  if (meant.length > 1)
    throw new ExpectedError(
      'usage',
      'person-ambiguous',
      `${meant.length} people are called "${who}": name one by e-mail address or id (${meant.map(({ email, ids, id }) => email ?? ids.school ?? ids.login ?? id).join(', ')}).`,
    )
  return person
}
