import type { Command } from 'commander'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Gradebook, GradebookRow, ReleaseSummary } from '../../contract/grades/gradebook.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { addGroup, addVerb, dataOption, type Context } from '../context.ts'
import { count, left, right, safeLine, tableOf } from '../text.ts'

// The rooms are imported where they are used: they are large, and no other verb needs them.

interface Data {
  readonly data?: string
}

/** `tartaglia class gradebook show|keep|by-hand|release`: the decisions about grades, as in the window. */
export function addGradebook(parent: Command, { terminal }: Context): void {
  const group = addGroup(parent, 'gradebook', 'The gradebook: its scheme, grades by hand, releases')

  addVerb(
    group,
    'show',
    'Show the grades by the kept scheme, those by hand, those released, and those that the record would change now',
    'tartaglia class gradebook show --json',
  )
    .addOption(dataOption())
    .action(async ({ data = defaultDataFolder() }: Data) => {
      const { gradebookOf } = await import('../../services/grades/gradebook-command.ts')
      const book = await gradebookOf(data)
      terminal.output('class gradebook show', book)
      const { lostParts } = await import('../../services/grades/unreadable.ts')
      terminal.print(...bookLines(book, lostParts(book.unreadable)))
    })

  addVerb(
    group,
    'keep',
    'Keep the scheme in a file as that of the class; released grades stay as they are',
    'tartaglia class gradebook keep term.scheme',
  )
    .argument('<file>', 'the scheme; docs/grades.md describes the language')
    .addOption(dataOption())
    .action(async (file: string, { data = defaultDataFolder() }: Data) => {
      const { keepSchemeFile } = await import('../../services/grades/gradebook-command.ts')
      await keepSchemeFile(data, file)
      terminal.output('class gradebook keep', { file })
      terminal.print('The scheme is kept. Released grades stay as they are.')
    })

  addVerb(
    group,
    'by-hand',
    'Give a student a grade by hand, which stands beside the computed one and counts instead',
    'tartaglia class gradebook by-hand "Ada Lovelace" --grade 85 --reason "oral exam"',
  )
    .argument('<name>', 'the name, e-mail address or id of a student')
    .option('--grade <number>', 'the grade')
    .option('--reason <text>', 'the reason, which the student sees when grades are released')
    .option('--take-back', 'take the grade by hand back')
    .addOption(dataOption())
    .action(async (name: string, options: ByHandOptions) => {
      const { data = defaultDataFolder(), grade, reason, takeBack = false } = options
      if (takeBack ? grade !== undefined || reason !== undefined : grade === undefined || reason === undefined)
        throw new ExpectedError('usage', 'option-missing', 'Give --grade with --reason, or --take-back alone.')
      const { gradeByHand } = await import('../../services/grades/gradebook-command.ts')
      const manual = takeBack ? null : { value: grade?.trim() === '' ? NaN : Number(grade), reason: reason ?? '' }
      const person = await gradeByHand(data, name, manual)
      terminal.output('class gradebook by-hand', { person: person.id, name: person.name, manual })
      const has = manual === null ? 'has no grade by hand' : `has the grade ${manual.value} by hand`
      terminal.print(`${safeLine(person.name)} ${has}. Released grades stay as they are.`)
    })

  addVerb(
    group,
    'release',
    'Show each student their own grade as it is now, until the next release',
    'tartaglia class gradebook release',
  )
    .addOption(dataOption())
    .action(async ({ data = defaultDataFolder() }: Data) => {
      const { releaseGrades } = await import('../../services/grades/gradebook-command.ts')
      const { released, toCome } = await releaseGrades(data)
      terminal.output('class gradebook release', { released })
      terminal.print(`The grades of ${count(released, 'student', 'students')} are released.`)
      for (const { title } of toCome) terminal.print(`"${safeLine(title)}" has not ended and counts 0 now.`)
    })
}

interface ByHandOptions extends Data {
  readonly grade?: string
  readonly reason?: string
  readonly takeBack?: true
}

const gradeText = (grade: { readonly value: number; readonly band: string | null } | null): string =>
  grade === null ? '' : grade.value.toFixed(2) + (grade.band === null ? '' : ` ${grade.band}`)

function releaseLines({ at, grades, isOtherScheme, changes }: ReleaseSummary): readonly string[] {
  return [
    `${at}: ${count(grades, 'grade', 'grades')}${isOtherScheme ? ', by another scheme than before' : ''}`,
    ...changes.map(
      ({ person, name, before, after }) =>
        `  ${name === '' ? person : safeLine(name)}: ${safeLine(gradeText(before)) || 'none'} before, ${gradeText(after) || 'none'} since`,
    ),
  ]
}

/** `lost`: everything that grades are computed without. */
function bookLines(
  { scheme, problems, toCome, rows, release, releases }: Gradebook,
  lost: readonly string[],
): readonly string[] {
  return [
    ...(scheme === '' ? ['The gradebook has no scheme: "class gradebook keep" keeps one.'] : []),
    ...problems.map(({ line, column, message }) => safeLine(`scheme:${line}:${column}: ${message}`)),
    ...toCome.map(({ title }) => `${safeLine(title)} has not ended: it counts nothing yet.`),
    ...lost.map((what) => safeLine(`Grades are computed without ${what}, which cannot be read.`)),
    release === null ? 'Nothing has been released.' : `Released ${release.at}.`,
    ...(release === null || release.isByScheme ? [] : ['Another scheme has been kept since.']),
    ...(release === null || release.isComparable
      ? []
      : ['The released grades cannot be computed again at present, so that changes are not shown.']),
    '',
    ...tableOf<GradebookRow>(rows, [
      left('student', ({ name }) => name),
      left('team', ({ team }) => team ?? ''),
      right('computed', ({ computed }) => gradeText(computed)),
      right('by hand', ({ manual }) => gradeText(manual)),
      right('released', ({ released }) => gradeText(released && (released.manual ?? released.computed))),
      right('would be', ({ changedTo }) => gradeText(changedTo)),
    ]),
    ...(releases.length < 2 ? [] : ['', 'Releases, the newest first:', ...releases.flatMap(releaseLines)]),
  ]
}
