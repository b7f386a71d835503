import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import {
  changeGradebook,
  gradebookIfReadable,
  readGradebook,
  versionOf,
} from '../../administrator/classroom/gradebook-file.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Grade, GradedContest } from '../../contract/grades/grade-terms.ts'
import { explained } from '../../contract/grades/grade-words.ts'
import type {
  BandedGrade,
  ComputedGrade,
  FilledGradeFile,
  Gradebook,
  GradebookFile,
  GradebookRow,
  ManualGrade,
  OwnGrade,
  SchemePreview,
} from '../../contract/grades/gradebook.ts'
import { bandOf, type Band } from '../../contract/grades/schemes.ts'
import type { PersonId } from '../../contract/people/people.ts'
import { gradeFacts, studentsOf, type FactSources, type GradeFacts } from './class-facts.ts'
import { fillGradeFile } from './lms/grade-file.ts'
import { peopleToFill } from './people-to-fill.ts'
import { isSameGrade, releasesOf } from './releases.ts'
import { readScheme, type Scheme } from './schemes/scheme.ts'
import { requireReadable } from './unreadable.ts'

/** The gradebook of a class: its scheme, grades by hand, and the last release. */
export interface ClassGradebook {
  /** These: see the procedures of these names. */
  book(): Promise<Gradebook>
  preview(scheme: string): Promise<SchemePreview>
  /** `seen`: the version of the gradebook that was looked at; absent: any. These return the new one. */
  setScheme(scheme: string, seen?: string): Promise<string>
  setManual(person: PersonId, manual: ManualGrade | null, seen?: string): Promise<string>
  /** Returns the number of grades, too, and the contests that were named and have not ended: alone, each of them counted 0. */
  release(seen?: string): Promise<{
    readonly version: string
    readonly released: number
    readonly toCome: SchemePreview['toCome']
  }>
  mine(person: PersonId): Promise<OwnGrade | null>
  fill(wish: {
    readonly content: string
    readonly column: string
    readonly areLabels: boolean
    readonly areComputed: boolean
  }): Promise<FilledGradeFile>
}

interface Sources extends FactSources {
  readonly home: Pick<ClassFolder, 'content' | 'folder' | 'inTurn'>
  readonly now: () => number
}

export function openGradebook({ now, ...sources }: Sources): ClassGradebook {
  const { home } = sources
  return {
    async book() {
      return bookOf(await readGradebook(home.folder), home.content, await gradeFacts(sources))
    },
    preview: async (scheme) => withoutNames(previewOf(scheme, await gradeFacts(sources))),
    async setScheme(scheme, seen) {
      if (scheme.trim() !== '') checkScheme(previewOf(scheme, await gradeFacts(sources)))
      return changeGradebook(home, (file) => ({ ...file, scheme: scheme.trim() === '' ? '' : scheme }), seen)
    },
    setManual: (person, manual, seen) =>
      changeGradebook(
        home,
        (file) => {
          const isStudent = studentsOf(home.content).some(({ id }) => id === person)
          // That of somebody who has left can be taken back.
          if (!isStudent && (manual !== null || !file.manual.some((each) => each.person === person)))
            throw new ExpectedError('usage', 'person-unknown', `The class has no student ${person}.`)
          const others = file.manual.filter((each) => each.person !== person)
          return { ...file, manual: manual === null ? others : [...others, { person, ...manual }] }
        },
        seen,
      ),
    async release(seen) {
      let released = 0
      let toCome: SchemePreview['toCome'] = []
      const version = await changeGradebook(
        home,
        async (file) => {
          // Rulings are counted in the same turns: one that came before is in these facts.
          const facts = await gradeFacts(sources)
          requireReadable(facts.unreadable, 'Nothing was released')
          const { scheme } = file
          const preview = keptGrades(file, facts)
          const grades = preview.grades.map(({ person, ...computed }) => ({
            ...{ person, computed },
            manual: manualOf(file, person, preview.bands),
          }))
          released = grades.length
          toCome = preview.toCome
          const release = { at: new Date(now()).toISOString(), scheme, contests: preview.named, grades }
          return { ...file, release, earlier: file.release === null ? [] : [...file.earlier, file.release] }
        },
        seen,
      )
      return { version, released, toCome }
    },
    async mine(person) {
      const file = await gradebookIfReadable(home.folder)
      if (file === null)
        throw new ExpectedError(
          'usage',
          'gradebook-unreadable',
          'The gradebook cannot be read at present: ask your educator.',
        )
      const { release } = file
      const own = release?.grades.find((each) => each.person === person)
      if (release === null || own === undefined) return null
      return { releasedAt: release.at, computed: own.computed, manual: own.manual }
    },
    async fill({ content, column, areLabels, areComputed }) {
      const facts = await gradeFacts(sources)
      const file = await readGradebook(home.folder)
      const book = bookOf(file, home.content, facts)
      const isReleased = book.release !== null && !areComputed
      if (!isReleased) {
        requireReadable(facts.unreadable, 'No file was filled')
        keptGrades(file, facts)
      }
      const { students, ...told } = peopleToFill(book, home.content, { areLabels, isReleased })
      const { bytes, filled, unlabelled, ...others } = fillGradeFile(Buffer.from(content, 'base64'), {
        column,
        students,
      })
      return {
        ...{ content: Buffer.from(bytes).toString('base64'), filled: filled.length, ...told, ...others },
        unlabelled: unlabelled.filter((name) => !told.unreleased.includes(name)),
      }
    },
  }
}

const computedOf = ({ value, band, term }: Grade): ComputedGrade => ({ value, band, explanation: explained(term) })

/** The grade by hand of a person, with its band. */
export function manualOf({ manual }: GradebookFile, person: PersonId, bands: readonly Band[]): BandedGrade | null {
  const found = manual.find((each) => each.person === person)
  return found === undefined ? null : { value: found.value, reason: found.reason, band: bandOf(found.value, bands) }
}

/** The grades by the kept scheme. Throws ExpectedError 'usage'. */
function keptGrades({ scheme }: GradebookFile, facts: GradeFacts): ReadPreview {
  if (scheme === '')
    throw new ExpectedError('usage', 'scheme-missing', 'The gradebook has no scheme: choose or write one first.')
  const preview = previewOf(scheme, facts)
  checkScheme(preview)
  return preview
}

/** `named`: see `Scheme`. */
type ReadPreview = SchemePreview & Pick<Scheme, 'named'>
const nothing: ReadPreview = { problems: [], bands: [], grades: [], toCome: [], named: {} }

const withoutNames = ({ named: _, ...preview }: ReadPreview): SchemePreview => preview

/** `known`: see `readScheme`. */
function previewOf(scheme: string, { contests, students }: GradeFacts, known: Scheme['named'] = {}): ReadPreview {
  const read = readScheme(scheme, contests, known)
  if ('problems' in read) return { ...nothing, problems: read.problems }
  const { bands, named, toCome } = read.scheme
  const grades = read.scheme.grades(students).map((grade) => ({ person: grade.person, ...computedOf(grade) }))
  return {
    problems: [],
    bands,
    grades,
    toCome: contests.filter(({ contest }) => toCome.has(contest)).map(inShort),
    named,
  }
}

const inShort = ({ contest, title }: GradedContest): SchemePreview['toCome'][number] => ({ contest, title })

/** Throws ExpectedError 'usage' for the first problem of a scheme. */
function checkScheme({ problems }: SchemePreview): void {
  const [first] = problems
  if (first === undefined) return
  throw new ExpectedError(
    'usage',
    'scheme-invalid',
    `The scheme has a problem in line ${first.line}, column ${first.column}: ${first.message}`,
  )
}

function bookOf(file: GradebookFile, content: ClassFolder['content'], facts: GradeFacts): Gradebook {
  const { scheme, release } = file
  const preview = scheme === '' ? nothing : previewOf(scheme, facts)
  const isReadable = facts.unreadable.contests.length === 0 && facts.unreadable.cases.length === 0
  const again = release === null || !isReadable ? nothing : previewOf(release.scheme, facts, release.contests)
  const now = gradesByPerson(preview)
  const recomputed = gradesByPerson(again)
  const released = new Map(release?.grades.map((each) => [each.person, each]))
  const rows = studentsOf(content).map(({ id, name }): GradebookRow => {
    const { computed = null, manual = null } = released.get(id) ?? {}
    const other = recomputed.get(id)
    const counted = manual ?? computed
    const counting = other === undefined ? null : (manualOf(file, id, again.bands) ?? other)
    return {
      ...{ person: id, name },
      team: content.teams.find(({ members }) => members.includes(id))?.name ?? null,
      computed: now.get(id) ?? null,
      manual: manualOf(file, id, preview.bands),
      released: computed === null ? null : { computed, manual },
      changedTo: counted === null || counting === null || isSameGrade(counted, counting) ? null : counting,
    }
  })
  return {
    ...{ version: versionOf(file), scheme, problems: preview.problems, bands: preview.bands, toCome: preview.toCome },
    rows: rows.sort((a, b) => a.name.localeCompare(b.name)),
    release: release && {
      at: release.at,
      isByScheme: release.scheme === scheme,
      isComparable: isReadable && again.problems.length === 0,
    },
    releases: releasesOf(file, content),
    unreadable: facts.unreadable,
    contests: facts.contests.map(inShort),
  }
}

const gradesByPerson = ({ grades }: SchemePreview): ReadonlyMap<PersonId, ComputedGrade> =>
  new Map(grades.map(({ person, ...computed }) => [person, computed]))
