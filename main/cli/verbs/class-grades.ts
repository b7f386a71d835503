import type { Command } from 'commander'
import type { TermRow, TermTable, TermVersion } from '../../contract/grades/term-table.ts'
import { explained, type Explanation } from '../../contract/grades/grade-words.ts'
import type { StudentGrade } from '../../services/grades/grades-command.ts'
import type { FilledFile, LmsKind } from '../../services/grades/lms/grade-file.ts'
import type { PeopleToFill } from '../../services/grades/people-to-fill.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readBytes } from '../../services/files/read-file.ts'
import { writeNewFile } from '../../services/files/output-file.ts'
import { addVerb, dataOption, type Context } from '../context.ts'
import type { Terminal } from '../terminal.ts'
import { count, left, right, safeLine, tableOf } from '../text.ts'

// The rooms are imported where they are used: they are large, and no other verb needs them.

/** `tartaglia class table|grades`: all contests that count, by team, and grades by a scheme. */
export function addGradeVerbs(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'table',
    'Show the table of the term: all contests that count, by team, from their histories and rulings',
    'tartaglia class table --json',
  )
    .option('--game <game>', 'count the contests of this game only; default: of all games')
    .addOption(dataOption())
    .action(async ({ data = defaultDataFolder(), game }: { data?: string; game?: string }) => {
      const { termOf } = await import('../../services/grades/grades-command.ts')
      const term = await termOf(data, game ?? null)
      terminal.output('class table', term)
      terminal.print(...termLines(term))
    })

  addVerb(
    group,
    'grades',
    'Show the grades of all students by a scheme with their explanations, or write them into a file of an LMS',
    'tartaglia class grades --scheme term.scheme --csv canvas=export.csv --column "Term grade" --out upload.csv',
  )
    .option('--scheme <file>', 'the scheme, described in docs/grades.md; default: that of the gradebook')
    .option(
      '--csv <lms>',
      'canvas=FILE, moodle=FILE or blackboard=FILE: fill a column of this export and change nothing else; moodle or blackboard: make a file',
    )
    .option('--column <title>', 'the title of the column in the LMS', 'Grade')
    .option('--labels', 'write the labels of bands instead of numbers')
    .option('--computed', 'write grades as they are computed now; default: those of the last release, if there was one')
    .option('--out <file>', 'the file to write with --csv')
    .addOption(dataOption())
    .action((options: GradeOptions) => grades(terminal, options))
}

interface GradeOptions {
  readonly data?: string
  readonly scheme?: string
  readonly csv?: string
  readonly column: string
  readonly labels?: true
  readonly computed?: true
  readonly out?: string
}

async function grades(terminal: Terminal, options: GradeOptions): Promise<void> {
  const { data = defaultDataFolder(), scheme, csv, column, labels = false, computed = false, out } = options
  if ((csv === undefined) !== (out === undefined))
    throw new ExpectedError(
      'usage',
      'option-missing',
      '--csv and --out belong together: the file to fill, and the one to write.',
    )
  if (csv !== undefined && out !== undefined && scheme === undefined && !computed) {
    const { releasedToFill } = await import('../../services/grades/gradebook-command.ts')
    const released = await releasedToFill(data, labels)
    if (released !== null) {
      await writeGrades(terminal, { csv, out, column }, released)
      return
    }
  }
  const { gradedPeople, gradesOf } = await import('../../services/grades/grades-command.ts')
  const { grades: graded, hasBands, unreadable, toCome } = await gradesOf(data, scheme ?? null)
  if (labels && !hasBands)
    throw new ExpectedError(
      'usage',
      'scheme-without-bands',
      `--labels needs bands, and ${scheme ?? 'the scheme of the gradebook'} has none: add a line such as bands 90 "A", 75 "B", else "C".`,
    )
  for (const title of toCome) terminal.note(`"${safeLine(title)}" has not ended and counts 0 now.`)
  const { lostParts, requireReadable } = await import('../../services/grades/unreadable.ts')
  if (csv === undefined || out === undefined) {
    terminal.output('class grades', {
      grades: graded.map(({ student, team, value, band, term, manual }) => ({
        ...{ person: student.id, name: student.name, team, value, band, manual },
        explanation: explained(term),
      })),
      unreadable,
    })
    terminal.print(
      ...gradeLines(graded),
      ...lostParts(unreadable).map((what) => safeLine(`Grades were computed without ${what}, which cannot be read.`)),
    )
    return
  }
  requireReadable(unreadable, 'No file was written')
  const students = gradedPeople(graded, labels)
  await writeGrades(terminal, { csv, out, column }, { students, releasedAt: null, unreleased: [], differing: [] })
}

/** Fills an export of an LMS, or makes a file. */
async function writeGrades(
  terminal: Terminal,
  { csv, out, column }: { readonly csv: string; readonly out: string; readonly column: string },
  { students, ...told }: PeopleToFill,
): Promise<void> {
  const { fillGradeFile, lmsKinds, newGradeFile } = await import('../../services/grades/lms/grade-file.ts')
  const { kind, file } = lmsOf(csv, lmsKinds)
  if (file === undefined) {
    if (kind === 'canvas')
      throw new ExpectedError(
        'usage',
        'option-missing',
        'Canvas wants its own export back: name it as in --csv canvas=export.csv.',
      )
    const made = newGradeFile(kind, { column, students })
    tellWritten(terminal, out, { ...made, unmatched: [], ...told }, `Students whom ${kind} could not find, left out`)
    return
  }
  const filled = fillGradeFile(await readBytes(file, FILE_BYTES_MAX), { column, students })
  tellWritten(terminal, out, { ...filled, ...told }, 'Students who are not in the file')
}

/** Writes a file of grades, and says whose grades are in it. */
function tellWritten(
  terminal: Terminal,
  out: string,
  { bytes, filled, unmatched, missing, unlabelled: without, ...told }: FilledFile & Omit<PeopleToFill, 'students'>,
  missingAre: string,
): void {
  const { releasedAt, unreleased, differing } = told
  const unlabelled = without.filter((name) => !unreleased.includes(name))
  writeNewFile(out, bytes)
  terminal.output('class grades', { file: out, filled: filled.length, unmatched, missing, unlabelled, ...told })
  terminal.print(
    `The grades of ${count(filled.length, 'student', 'students')} are in ${safeLine(out)}, ${releasedAt === null ? 'as they are computed now' : `as they were released ${releasedAt}`}.`,
    ...(differing.length === 0 ? [] : [`Another grade by now, which --computed would write: ${listOf(differing)}.`]),
    ...(unreleased.length === 0 ? [] : [`Nothing was released to: ${listOf(unreleased)}.`]),
    ...(unmatched.length === 0 ? [] : [`Left as they are, since the class does not know them: ${listOf(unmatched)}.`]),
    ...(missing.length === 0 ? [] : [`${missingAre}: ${listOf(missing)}.`]),
    ...(unlabelled.length === 0 ? [] : [`Below all bands, without a label: ${listOf(unlabelled)}.`]),
  )
}

/** The maximum size of an export of an LMS, in bytes. */
const FILE_BYTES_MAX = 16 * 1024 * 1024

const listOf = (names: readonly string[]): string => names.map(safeLine).join(', ')

function lmsOf(csv: string, lmsKinds: readonly LmsKind[]): { readonly kind: LmsKind; readonly file?: string } {
  const at = csv.indexOf('=')
  const name = at === -1 ? csv : csv.slice(0, at)
  const kind = lmsKinds.find((each) => each === name)
  if (kind === undefined)
    throw new ExpectedError('usage', 'input-invalid', `--csv is one of ${lmsKinds.join(', ')}, not "${name}".`)
  return at === -1 ? { kind } : { kind, file: csv.slice(at + 1) }
}

function gradeLines(graded: readonly StudentGrade[]): readonly string[] {
  if (graded.length === 0) return ['The class has no students.']
  return graded.flatMap(({ student, team, value, band, term, manual }) => [
    `${safeLine(student.name)}${team === null ? '' : ` (${safeLine(team)})`}: ${value.toFixed(2)}${band === null ? '' : `, ${safeLine(band)}`}`,
    ...(manual === null
      ? []
      : [
          `  by hand, and counts instead: ${manual.value.toFixed(2)}${manual.band === null ? '' : `, ${safeLine(manual.band)}`}: ${safeLine(manual.reason)}`,
        ]),
    ...explanationLines(explained(term), 1),
  ])
}

function explanationLines({ text, isDropped, parts }: Explanation, depth: number): readonly string[] {
  return [
    `${'  '.repeat(depth)}${safeLine(text)}${isDropped ? ' (dropped)' : ''}`,
    ...parts.flatMap((part) => (part.text === String(part.value) ? [] : explanationLines(part, depth + 1))),
  ]
}

function termLines({ contests, rows, unreadable }: TermTable): readonly string[] {
  const damaged = unreadable.map((id) => `The histories of ${safeLine(id)} cannot be read; it is left out.`)
  if (contests.length === 0) return ['The class has no contest that has ended and counts.', ...damaged]
  const intervalText = ({ interval }: TermRow): string =>
    interval === null ? 'too few matches' : `${interval[0].toFixed(0)} to ${interval[1].toFixed(0)}`
  const versionText = (version: TermVersion | null): string =>
    version === null ? '' : version.version === null ? version.agent : `${version.agent} v${version.version}`
  return [
    `${count(contests.length, 'contest', 'contests')}: ${contests.map(({ title }) => safeLine(title)).join(', ')}.`,
    '',
    ...tableOf(rows, [
      right('rank', ({ rank }) => rank ?? ''),
      left('team', ({ team, name }) => (team === null ? `${name} (no team)` : name)),
      right('points', ({ points }) => points.toFixed(1)),
      right('as played', ({ asPlayed }) => asPlayed?.points.toFixed(1) ?? ''),
      right('contests', ({ results }) => results.length),
      right('rating', ({ rating }) => rating.toFixed(0)),
      right('95 % interval', intervalText),
      left('trend', ({ trend }) => trend ?? ''),
      left('best', ({ best }) => versionText(best)),
      left('latest', ({ latest }) => versionText(latest)),
    ]),
    ...damaged,
  ]
}
