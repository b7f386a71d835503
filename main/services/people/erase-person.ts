import { rm } from 'node:fs/promises'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { copiesOf } from '../../administrator/classroom/day-copies.ts'
import { requireNames } from '../../administrator/classroom/name-lock.ts'
import { changeGradebook, withoutPerson } from '../../administrator/classroom/gradebook-file.ts'
import { eraseFileNames } from '../../administrator/people/attempts.ts'
import { audit, closeAccount, type Accounts } from '../../administrator/people/accounts.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Caller } from '../../contract/people/caller.ts'
import { erasedName, type Person, type PersonId } from '../../contract/people/people.ts'
import { MachineError, machineErrorFrom } from '../../histories/machine-error.ts'

/**
 * Erases the personal data of somebody who has left the class: name, address, numbers of the school, section, grades, notes and names of files
 * that they handed in, reasons of their extensions, whatever they sign in with, the networks from which they did, and the copies of class.json and people.db in which they are. Their deeds stay under the name of
 * `erasedName`, and everything that was signed verifies as before. The entry of the person and the audit log have the time. It cannot be undone.
 * Throws ExpectedError 'usage' if the names are locked, or the class never had such a person, or they are in it, or their grades cannot be erased from a damaged gradebook, after all else was; MachineError, which names the id when all has to be done once more.
 */
export async function erasePerson(
  accounts: Accounts,
  folder: Pick<ClassFolder, 'folder' | 'inTurn'>,
  id: PersonId,
  by: Pick<Caller, 'person'>,
): Promise<Person> {
  const { home, people, now } = accounts
  requireNames(home.content)
  const before = home.content.people.find((each) => each.id === id)
  if (before === undefined) throw new ExpectedError('usage', 'person-unknown', `The class has no person ${id}.`)
  if (before.removed === undefined)
    throw new ExpectedError('usage', 'person-protected', `${before.name} is in the class: remove them first.`)
  const damage = await changeGradebook(folder, (file) => withoutPerson(file, id)).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ExpectedError || error instanceof MachineError) return error
      throw error
    },
  )
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
    // Notes and the own name of a team of which nobody is left may name them.
    for (const { handIn } of content.agents) if (handIn?.by === id) delete handIn.note
    for (const team of content.teams)
      if (team.members.length === 0 && team.former?.includes(id) === true) delete team.called
  })
  try {
    // All of them hold the class of former days, unfinished ones too.
    await rm(copiesOf(folder.folder), { recursive: true, force: true })
    people.database.prepare('DELETE FROM guess WHERE key GLOB ? OR key = ?').run(`*:${id} *`, `everywhere:${id}`)
    eraseFileNames(people, id)
    audit(accounts, by.person, 'people.erase', { person: id })
    // Deleted rows stay in a database until their pages are used again.
    people.database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (error) {
    throw unfinished(id, machineErrorFrom(error, 'erase the traces in', folder.folder))
  }
  if (damage !== null)
    throw new ExpectedError(
      damage instanceof ExpectedError ? damage.kind : 'usage',
      damage.code,
      `Everything is erased but the grades of the person: ${damage.message} Repair or delete that file, then finish with: class people erase ${id} --yes`,
    )
  return erased
}

/** The name is gone from class.json already: from now on, only the id finds the person. */
const unfinished = (id: PersonId, { message, path, code }: MachineError): MachineError =>
  new MachineError(
    `The name is erased, but copies may still have it (${message}) Finish it with: class people erase ${id} --yes`,
    path,
    code,
  )
