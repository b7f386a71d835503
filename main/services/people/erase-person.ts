import { rm } from 'node:fs/promises'
import { dayCopies } from '../../administrator/classroom/day-copies.ts'
import { olderForms } from '../../administrator/classroom/older-forms.ts'
import { audit, closeAccount, type Accounts } from '../../administrator/people/accounts.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Caller } from '../../contract/people/caller.ts'
import type { Person, PersonId } from '../../contract/people/people.ts'

/** The name that stays of an erased person: histories, receipts and cases know them by their id or a pseudonym alone. */
export const erasedName = (id: PersonId): string => `Erased person ${id.slice(0, 4)}`

/**
 * Erases the personal data of somebody who has left the class: name, address, numbers of the school, section, reasons of their extensions,
 * whatever they sign in with, and the copies of class.json and people.db in which they are. Their deeds stay under the name of
 * `erasedName`, and everything that was signed verifies as before. The entry of the person and the audit log have the time. It cannot be undone.
 * Throws ExpectedError 'usage' if there is no such person, or they are in the class; MachineError.
 */
export async function erasePerson(
  accounts: Accounts,
  data: string,
  id: PersonId,
  by: Pick<Caller, 'person'>,
): Promise<Person> {
  const { home, people, now } = accounts
  const before = home.content.people.find((each) => each.id === id)
  if (before === undefined) throw new ExpectedError('usage', 'person-unknown', `The class has no person ${id}.`)
  if (before.removed === undefined)
    throw new ExpectedError('usage', 'person-protected', `${before.name} is in the class: remove them first.`)
  closeAccount(accounts, id)
  const { role, added, removed } = before
  const erased: Person = {
    ...{ id, name: erasedName(id), ids: {}, role, added, removed },
    erased: before.erased ?? new Date(now()).toISOString(),
  }
  await home.change((content) => {
    content.people = content.people.map((each) => (each.id === id ? erased : each))
    for (const extension of content.extensions)
      if (extension.of.who === 'person' && extension.of.person === id) extension.reason = 'erased'
  })
  // Both hold the class of former days. Deleted rows stay in a database until their pages are used again.
  for (const { path } of await dayCopies(data)) await rm(path, { force: true })
  for (const path of await olderForms(data)) await rm(path, { force: true })
  audit(accounts, by.person, 'people.erase', { person: id })
  people.database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  return erased
}
