import { readClass } from '../../administrator/classroom/classroom.ts'
import { PRIVATE_FILE } from '../../administrator/classroom/private-files.ts'
import { readGradebook } from '../../administrator/classroom/gradebook-file.ts'
import { audit } from '../../administrator/people/accounts.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { nameKey } from '../../contract/names.ts'
import type { DueData, Retention } from '../../contract/people/retention.ts'
import type { Person } from '../../contract/people/people.ts'
import { openCases } from '../cases/class-cases.ts'
import { openDossierStore } from '../evidence/class-dossiers.ts'
import { writeOutFile } from '../files/output-file.ts'
import { existingClass, requireDataFolder } from '../machine/existing-class.ts'
import { dueData } from '../people/due-data.ts'
import { withAccounts } from '../people/people-command.ts'
import { ownDataZip } from './own-data.ts'

// Data about people, for the command line.

/**
 * Writes everything that the class keeps about a person as a zip (`ownDataZip`), also of somebody who has left. `who`: their name, e-mail
 * address or id. Throws ExpectedError 'usage' if nobody, or more than one person, is meant, or the file exists.
 */
export async function writeOwnData(data: string, who: string, file: string, overwrite: boolean): Promise<Person> {
  requireDataFolder(data)
  return withAccounts(data, async (accounts, home) => {
    const key = nameKey(who)
    const meant = home.content.people.filter(({ id, name, email = '' }) =>
      [id, name, email].some((each) => each !== '' && nameKey(each) === key),
    )
    const [person] = meant
    if (person === undefined)
      throw new ExpectedError('usage', 'person-unknown', `Nobody is or was in the class by the name "${who}".`)
    if (meant.length > 1)
      throw new ExpectedError('usage', 'person-ambiguous', `${meant.length} people are called "${who}": give an id.`)
    const cases = openCases(home, { now: accounts.now, steady: () => 0, onChange: () => undefined })
    const dossiers = await openDossierStore(home, accounts.now)
    const places = { accounts, folder: home.folder, cases, dossiers, gradebook: await readGradebook(data) }
    writeOutFile({ path: file, overwrite, mode: PRIVATE_FILE }, await ownDataZip(places, person.id))
    audit(accounts, null, 'me.download', { person: person.id })
    return person
  })
}

/** The periods of a class, after those given are set, and the data that are due now. */
export async function keptPeriods(
  data: string,
  change: Partial<Retention>,
): Promise<{ readonly periods: Retention; readonly due: DueData }> {
  await existingClass(data)
  if (Object.keys(change).length > 0)
    await withAccounts(data, async (accounts, home) => {
      await home.change(({ settings }) => {
        settings.retention = { ...settings.retention, ...change }
      })
      audit(accounts, null, 'settings.set', { retention: home.content.settings.retention })
    })
  const content = await readClass(data)
  return { periods: content.settings.retention, due: dueData(content, Date.now()) }
}
