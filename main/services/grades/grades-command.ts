import { openClassToLookAt } from '../../administrator/classroom/read-only-class.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { readGradebook } from '../../administrator/classroom/gradebook-file.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { explained, factsLine } from '../../contract/grades/grade-words.ts'
import type { Grade } from '../../contract/grades/grade-terms.ts'
import type { BandedGrade } from '../../contract/grades/gradebook.ts'
import { SCHEME_CHARACTERS_MAX, type SchemeProblem } from '../../contract/grades/schemes.ts'
import type { TermTable } from '../../contract/grades/term-table.ts'
import type { GameId } from '../../contract/ids.ts'
import type { Person } from '../../contract/people/people.ts'
import { openCases } from '../cases/class-cases.ts'
import { openContests } from '../contests/kept/class-contests.ts'
import { readBytes } from '../files/read-file.ts'
import { requireDataFolder } from '../machine/existing-class.ts'
import { gradeFacts, studentsOf, type GradeFacts } from './class-facts.ts'
import { manualOf } from './class-gradebook.ts'
import { openClassTerm } from './class-term.ts'
import type { GradedPerson } from './lms/grade-file.ts'
import { readScheme } from './schemes/scheme.ts'

// The table of the term and grades, for the command line. The data folder is not changed; it may belong to a class that is open.

/**
 * The table of the term of a data folder. `game`: of this game only; null: of all games. Throws ExpectedError 'usage' if the folder is
 * not a data folder.
 */
export function termOf(data: string, game: GameId | null): Promise<TermTable> {
  return looking(data, (home) => openClassTerm({ home, contests: openContests(home) }).table(game))
}

/** The grade of a student of the class. */
export interface StudentGrade extends Grade {
  readonly student: Person
  /** The name of their team; null: none. */
  readonly team: string | null
  /** It counts instead of the computed one; null: none. */
  readonly manual: BandedGrade | null
}

/** The grades of a class. */
export interface ClassGrades {
  /** By the names of the students. */
  readonly grades: readonly StudentGrade[]
  /** False: the scheme has no bands, and grades no labels. */
  readonly hasBands: boolean
  /** Contests and cases that cannot be read, and without which the grades were computed. */
  readonly unreadable: GradeFacts['unreadable']
  /** The titles of contests that the scheme names and that have not ended: they count nothing yet. */
  readonly toCome: readonly string[]
}

/** The text of a scheme in a file. */
export async function readSchemeFile(file: string): Promise<string> {
  return new TextDecoder().decode(await readBytes(file, 4 * SCHEME_CHARACTERS_MAX))
}

/**
 * The grades of all students by the scheme in a file; null: by the scheme in the gradebook. Throws ExpectedError 'usage' with code
 * `scheme-missing`, or `scheme-invalid` and the problems of the scheme, each with its line and column.
 */
export async function gradesOf(data: string, schemeFile: string | null): Promise<ClassGrades> {
  requireDataFolder(data)
  const book = await readGradebook(data)
  const text = schemeFile === null ? book.scheme : await readSchemeFile(schemeFile)
  if (schemeFile === null && text === '')
    throw new ExpectedError(
      'usage',
      'scheme-missing',
      'The gradebook of the class has no scheme: name a file with --scheme, or keep one with "class gradebook keep".',
    )
  return looking(data, async (home) => {
    const contests = openContests(home)
    const cases = openCases(home, { now: Date.now, steady: () => performance.now(), onChange: () => undefined })
    const facts = await gradeFacts({ home, contests, term: openClassTerm({ home, contests }), cases })
    const read = readScheme(text, facts.contests)
    if ('problems' in read) throw invalidScheme(schemeFile ?? 'the scheme of the gradebook', read.problems)
    const { people, teams } = home.content
    const students = new Map(studentsOf({ people }).map((person) => [person.id, person]))
    const grades = read.scheme
      .grades(facts.students)
      .map((grade) => ({
        ...grade,
        student: students.get(grade.person)!,
        team: teams.find(({ members }) => members.includes(grade.person))?.name ?? null,
        manual: manualOf(book, grade.person, read.scheme.bands),
      }))
      .sort((a, b) => a.student.name.localeCompare(b.student.name))
    const toCome = facts.contests.filter(({ contest }) => read.scheme.toCome.has(contest)).map(({ title }) => title)
    return { grades, hasBands: read.scheme.bands.length > 0, unreadable: facts.unreadable, toCome }
  })
}

/** The problems of a scheme that are told: a file of another kind has one in each line. */
const PROBLEMS_SHOWN = 20

function invalidScheme(file: string, problems: readonly SchemeProblem[]): ExpectedError {
  const lines = problems.map(({ line, column, code, message }) => `${file}:${line}:${column}: ${message} (${code})`)
  const [first = '', ...others] = lines
  const details = others.length === 0 ? null : others.slice(0, PROBLEMS_SHOWN - 1).join('\n')
  return new ExpectedError('usage', 'scheme-invalid', first, details)
}

/** Grades for a file of an LMS. `isBand`: the labels of their bands instead of numbers; null below all bands. */
export function gradedPeople(grades: readonly StudentGrade[], isBand: boolean): readonly GradedPerson[] {
  return grades.map(({ student: { name, email, ids }, term, manual, ...computed }) => {
    const { value, band } = manual ?? computed
    const facts = factsLine(explained(term))
    const feedback = manual === null ? facts : `by hand: ${manual.reason}; ${facts}`
    return {
      ...{ name, ids, feedback },
      ...(email === undefined ? {} : { email }),
      grade: isBand ? band : String(Number(value.toFixed(2))),
    }
  })
}

/** Runs a task with a data folder that is open to look at. */
export async function looking<T>(data: string, task: (home: ClassFolder) => Promise<T>): Promise<T> {
  requireDataFolder(data)
  const home = await openClassToLookAt(data)
  try {
    return await task(home)
  } finally {
    await home.close()
  }
}
