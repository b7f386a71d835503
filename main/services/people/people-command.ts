import { openClassFolder, readClass, type ClassFolder } from '../../administrator/classroom/classroom.ts'
import {
  givenPassphrase,
  namesAreLocked,
  passphraseIn,
  requireNames,
  unlocked,
} from '../../administrator/classroom/name-lock.ts'
import { audit, closeAccounts, isMember, openAccounts, type Accounts } from '../../administrator/people/accounts.ts'
import { readValidCodes, type OneTimeCode } from '../../administrator/people/one-time-codes.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { nameKey } from '../../contract/names.ts'
import { didYouMean } from '../../contract/near-miss.ts'
import { hostCaller } from '../../contract/people/caller.ts'
import type { RosterImport } from '../../contract/people/people-procedures.ts'
import { isLocked, namesState, type NamesState } from '../../contract/people/locked-names.ts'
import type { Person } from '../../contract/people/people.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'
import { readBytes } from '../files/read-file.ts'
import { existingClass, requireDataFolder } from '../machine/existing-class.ts'
import { erasePerson } from './erase-person.ts'
import { setPassphrase } from './passphrase.ts'
import { pseudonymsOf, setPseudonyms, wishPseudonym, type PseudonymLine } from '../pseudonyms/pseudonyms.ts'
import { teamWith } from './teams.ts'
import { importRoster, newCode, previewRoster, removePerson } from './class-people.ts'

// The people of a class, for the command line.

/** Imports a roster file (`importRoster`); `dryRun`: shows its consequences only. */
export async function importRosterFile(data: string, file: string, dryRun: boolean): Promise<RosterImport> {
  const { ROSTER_BYTES_MAX } = await import('./roster-file.ts')
  const bytes = await readBytes(file, ROSTER_BYTES_MAX)
  if (dryRun) return previewRoster(requireNames(await readClass(data)).people, bytes)
  return withAccounts(data, (accounts) => importRoster(accounts, bytes, hostCaller))
}

/** A person of the class, and how they can sign in. */
export interface ListedPerson extends Person {
  /** Their one-time code is valid until then; null: they have none. */
  readonly codeUntil: string | null
}

/** The people of a class by name, those who left included. */
export async function listPeople(data: string): Promise<readonly ListedPerson[]> {
  const people = (await namedClass(data)).people.toSorted((a, b) => a.name.localeCompare(b.name))
  const codes = readValidCodes(data, new Date())
  return people.map((person) => ({ ...person, codeUntil: codes.get(person.id)?.toISOString() ?? null }))
}

/** Makes a new one-time code for a person. `who`: a name, an e-mail address or an identifier. */
export async function newCodeFor(data: string, who: string): Promise<OneTimeCode & { readonly person: Person }> {
  requireDataFolder(data)
  return withAccounts(data, async (accounts) => {
    const person = personCalled(accounts.home.content.people, who)
    return { person, ...(await newCode(accounts, person.id, hostCaller)) }
  })
}

/** Removes a person from the class (`removePerson`). */
export async function removePersonCalled(data: string, who: string): Promise<Person> {
  requireDataFolder(data)
  return withAccounts(data, (accounts) =>
    removePerson(accounts, personCalled(accounts.home.content.people, who).id, hostCaller),
  )
}

/**
 * Erases the personal data of somebody who has left the class (`erasePerson`). `who`: their name, e-mail address or id. `dryRun`: nothing is
 * changed. Returns the person as they were.
 */
export async function erasePersonCalled(data: string, who: string, dryRun: boolean): Promise<Person> {
  requireDataFolder(data)
  if (dryRun) return formerPerson((await readClass(data)).people, who)
  return withAccounts(data, async (accounts, home) => {
    const person = formerPerson(accounts.home.content.people, who)
    await erasePerson(accounts, home, person.id, hostCaller)
    return person
  })
}

/** An existing class, with its names if this process was given the passphrase. Throws like `existingClass`, and says why a given one opens nothing. */
async function namedClass(data: string): Promise<Classroom> {
  const content = await existingClass(data)
  const given = namesState(content) === 'locked' ? givenPassphrase() : null
  return given === null ? content : unlocked(content, given)
}

/** The state of the names of a class. */
export async function namesStateOf(data: string): Promise<NamesState> {
  return namesState(await namedClass(data))
}

/**
 * Sets or changes the passphrase of the names of a class to the first line of a file, or, with null, removes it (`ClassFolder.setPassphrase`).
 * The present one is that of this process (`givenPassphrase`).
 */
export async function setPassphraseOf(data: string, file: string | null): Promise<NamesState> {
  requireDataFolder(data)
  const next = file === null ? null : passphraseIn(file)
  return withAccounts(data, async (accounts, home) => {
    await setPassphrase(accounts, home, { present: givenPassphrase(), next }, null)
    audit(accounts, null, 'names.setPassphrase', { isSet: next !== null })
    return namesState(home.content)
  })
}

/** Goes on without the names of a locked class (`ClassFolder.forgetNames`). */
export async function forgetNamesOf(data: string): Promise<NamesState> {
  requireDataFolder(data)
  return withAccounts(data, async (accounts, home) => {
    await home.forgetNames()
    audit(accounts, null, 'names.forget', {})
    return namesState(home.content)
  })
}

/** Lets all students of a class appear under pseudonyms, or no longer (`setPseudonyms`). */
export async function switchPseudonyms(data: string, areUsed: boolean): Promise<void> {
  requireDataFolder(data)
  await withAccounts(data, async (accounts) => {
    await setPseudonyms(accounts.home, areUsed)
    audit(accounts, null, 'settings.set', { pseudonyms: areUsed })
  })
}

/** The mapping of a class, which is for staff alone. */
export async function listPseudonyms(
  data: string,
): Promise<{ readonly isForAll: boolean; readonly lines: readonly PseudonymLine[] }> {
  const content = await namedClass(data)
  return { isForAll: content.settings.pseudonyms, lines: pseudonymsOf(content) }
}

/** Lets a student appear under a pseudonym, or no longer (`wishPseudonym`). `publicName`: that of their team; null: they have none. */
export async function wishPseudonymFor(
  data: string,
  who: string,
  isWished: boolean,
): Promise<{ readonly person: Person; readonly publicName: string | null }> {
  requireDataFolder(data)
  return withAccounts(data, async (accounts) => {
    const person = personCalled(accounts.home.content.people, who)
    await wishPseudonym(accounts.home, person.id, isWished)
    audit(accounts, null, 'me.pseudonym', { person: person.id, isWished })
    return { person, publicName: teamWith(accounts.home.content, person.id)?.name ?? null }
  })
}

/** Somebody who has left the class. Throws ExpectedError 'usage' if nobody, or more than one person, is meant. */
function formerPerson(people: readonly Person[], who: string): Person {
  const key = nameKey(who)
  const meant = people.filter(({ id, name, email = '' }) => [id, name, email].some((each) => nameKey(each) === key))
  const former = meant.filter(({ removed }) => removed !== undefined)
  const [person] = former
  if (person !== undefined && former.length === 1) return person
  if (people.some(isLocked)) throw namesAreLocked()
  if (former.length > 1)
    throw new ExpectedError(
      'usage',
      'person-ambiguous',
      `${former.length} people who left are called "${who}": give an id.`,
    )
  const there = meant.length > 0 ? 'is in the class: remove them first' : 'was never in the class, or is erased'
  throw new ExpectedError('usage', meant.length > 0 ? 'person-protected' : 'person-unknown', `"${who}" ${there}.`)
}

/** Opens a class and its accounts for a task. Rejects like `openClassFolder`, and with what the task throws. */
export async function withAccounts<T>(
  data: string,
  task: (accounts: Accounts, home: ClassFolder) => Promise<T>,
): Promise<T> {
  const home = await openClassFolder(data)
  try {
    const accounts = openAccounts(home)
    try {
      return await task(accounts, home)
    } finally {
      closeAccounts(accounts)
    }
  } finally {
    await home.close()
  }
}

/** Throws ExpectedError 'usage' if nobody of the class, or more than one person, is meant. */
export function personCalled(people: readonly Person[], who: string): Person {
  const key = nameKey(who)
  const candidates = people.filter(isMember)
  const exact = candidates.filter(({ id, email = '', ids }) =>
    [id, email, ...Object.values(ids)].some((each) => each !== '' && nameKey(each) === key),
  )
  const meant = exact.length > 0 ? exact : candidates.filter(({ name }) => nameKey(name) === key)
  const [person] = meant
  if (person === undefined) {
    if (candidates.some(isLocked)) throw namesAreLocked()
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
