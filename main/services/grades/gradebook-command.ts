import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { audit } from '../../administrator/people/accounts.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { manualGrade, type Gradebook, type ManualGrade } from '../../contract/grades/gradebook.ts'
import type { Person } from '../../contract/people/people.ts'
import { openContests } from '../contests/kept/class-contests.ts'
import { openCases } from '../cases/class-cases.ts'
import { requireDataFolder } from '../machine/existing-class.ts'
import { personCalled, withAccounts } from '../people/people-command.ts'
import { openGradebook, type ClassGradebook } from './class-gradebook.ts'
import { openClassTerm } from './class-term.ts'
import { looking, readSchemeFile } from './grades-command.ts'
import { peopleToFill, type PeopleToFill } from './people-to-fill.ts'

// The gradebook of a class, for the command line. The decisions need a class that no other process has open, and are lines of the audit log.

/** The gradebook of a data folder, which is not changed. */
export function gradebookOf(data: string): Promise<Gradebook> {
  return looking(data, (home) => gradebookIn(home).book())
}

/** The released grades for a file of an LMS; null: nothing was released. Throws ExpectedError 'usage' if labels are wanted of grades without bands. */
export function releasedToFill(data: string, areLabels: boolean): Promise<PeopleToFill | null> {
  return looking(data, async (home) => {
    const book = await gradebookIn(home).book()
    return book.release === null ? null : peopleToFill(book, home.content, { areLabels, isReleased: true })
  })
}

/** Keeps the scheme in a file. Throws ExpectedError 'usage' with code `scheme-invalid`. */
export async function keepSchemeFile(data: string, file: string): Promise<void> {
  requireDataFolder(data)
  const scheme = await readSchemeFile(file)
  await withAccounts(data, async (accounts, home) => {
    const version = await gradebookIn(home).setScheme(scheme)
    audit(accounts, null, 'grades.setScheme', { version })
  })
}

/** Gives a student a grade by hand; null: takes it back. `who`: a name, an e-mail address or an identifier. */
export async function gradeByHand(data: string, who: string, manual: ManualGrade | null): Promise<Person> {
  requireDataFolder(data)
  if (manual !== null && !manualGrade.safeParse(manual).success)
    throw new ExpectedError(
      'usage',
      'input-invalid',
      'A grade by hand is a number from -1000000 to 1000000 with a reason of one line.',
    )
  return withAccounts(data, async (accounts, home) => {
    const person = personCalled(home.content.people, who)
    const version = await gradebookIn(home).setManual(person.id, manual)
    audit(accounts, null, 'grades.setManual', { person: person.id, version })
    return person
  })
}

/** Releases the grades; see `ClassGradebook`. */
export async function releaseGrades(
  data: string,
): Promise<Pick<Awaited<ReturnType<ClassGradebook['release']>>, 'released' | 'toCome'>> {
  requireDataFolder(data)
  return withAccounts(data, async (accounts, home) => {
    const { version, ...told } = await gradebookIn(home).release()
    audit(accounts, null, 'grades.release', { version })
    return told
  })
}

function gradebookIn(home: ClassFolder): ClassGradebook {
  const contests = openContests(home)
  const cases = openCases(home, { now: Date.now, steady: () => performance.now(), onChange: () => undefined })
  return openGradebook({ home, contests, cases, term: openClassTerm({ home, contests }), now: Date.now })
}
