import { ExpectedError } from '../../../contract/expected-error.ts'
import { didYouMean } from '../../../contract/near-miss.ts'
import { idKinds, type Person } from '../../../contract/people/people.ts'
import { columnOf, delimiterOf, isNobody, unsorted } from '../../people/roster-file.ts'
import { cellsIn, harmless, withCells, written, type Cell } from './cells.ts'

/** Files of grades that are understood. */
export const lmsKinds = ['canvas', 'moodle', 'blackboard'] as const
export type LmsKind = (typeof lmsKinds)[number]

/** A student with the grade that goes into a file. */
export interface GradedPerson extends Pick<Person, 'name' | 'email' | 'ids'> {
  /** A number with a point, or the label of a band; null: it reaches no band. */
  readonly grade: string | null
  /** The explanation, for files that have a column for it. */
  readonly feedback: string
}

/** A filled file. */
export interface FilledFile {
  readonly bytes: Uint8Array
  /** The names of the students whose grades are in it, in the order of its rows. */
  readonly filled: readonly string[]
  /** Rows of people whom the class does not have, or whom more than one student could be, as the file names them. */
  readonly unmatched: readonly string[]
  /** Students who are in no row. */
  readonly missing: readonly string[]
  /** Students whose grade reaches no band: their cells stay as they are. */
  readonly unlabelled: readonly string[]
}

/**
 * Fills a column of an LMS's own export with grades. Every other byte stays as it is: encoding, quotes, line ends, rows and their order.
 * `column`: its title, with or without what the LMS has added to it. Throws ExpectedError 'usage' if the file or the column cannot be
 * used.
 */
export function fillGradeFile(
  bytes: Uint8Array,
  { column, students }: { readonly column: string; readonly students: readonly GradedPerson[] },
): FilledFile {
  const { text, encode } = decoded(bytes)
  const delimiter = delimiterOf(text)
  const cells = cellsIn(text, delimiter)
  if ('brokenAt' in cells)
    throw unusable(`Line ${cells.brokenAt} of the file has a quotation mark out of place: export it again.`)
  const [header = [], ...rows] = cells.records
  const columns = header.map(({ value }) => columnOf(value.trim()))
  const target = targetIn(header, rows, columns, column)
  const about = rows
    .map((cells) => ({ cell: cells[target], values: cells.map(({ value }) => value.trim()) }))
    .filter(({ values }) => values.some((value) => value !== '') && !isNobody(values, columns))
  const found = matched(
    about.map(({ values, cell }) => (cell === undefined ? null : values)),
    columns,
    students,
  )
  const edits: { readonly cell: Cell; readonly written: string }[] = []
  const [filled, unmatched, unlabelled]: [string[], string[], string[]] = [[], [], []]
  for (const [at, { cell, values }] of about.entries()) {
    const student = found[at] ?? null
    if (student === null || cell === undefined) unmatched.push(nameIn(values, columns))
    else if (student.grade === null) unlabelled.push(student.name)
    else {
      filled.push(student.name)
      edits.push({ cell, written: written(inFile(student.grade, delimiter), delimiter, cell.isQuoted) })
    }
  }
  const isFound = new Set(found)
  return {
    bytes: encode(withCells(text, edits)),
    ...{ filled, unmatched, unlabelled },
    missing: students.filter((each) => !isFound.has(each)).map(({ name }) => name),
  }
}

/** A grade as a file has it: with a decimal comma if its fields are separated by semicolons. */
function inFile(grade: string, delimiter: string): string {
  return harmless(delimiter === ';' && /^-?\d+\.\d+$/.test(grade) ? grade.replace('.', ',') : grade)
}

/**
 * A file of grades of its own for Moodle or Blackboard, in the shape that their import describes: UTF-8 with a byte-order mark, CR LF.
 * `missing`: students without an identifier by which it finds them.
 */
export function newGradeFile(
  kind: Exclude<LmsKind, 'canvas'>,
  { column, students }: { readonly column: string; readonly students: readonly GradedPerson[] },
): Omit<FilledFile, 'unmatched'> {
  const isMoodle = kind === 'moodle'
  const header = isMoodle
    ? ['Email address', 'ID number', column, 'Feedback comments']
    : ['Username', 'Student ID', `${column} [Total Pts: 100 Score]`]
  const rows: string[][] = [header]
  const [filled, missing, unlabelled]: [string[], string[], string[]] = [[], [], []]
  for (const { name, email = '', ids, grade, feedback } of students) {
    const named = [isMoodle ? email : (ids.login ?? ''), ids.school ?? '']
    if (named.every((each) => each === '')) missing.push(name)
    else if (grade === null) unlabelled.push(name)
    else {
      filled.push(name)
      rows.push([...named, grade, ...(isMoodle ? [feedback] : [])])
    }
  }
  const lines = rows.map((row) => row.map((value) => written(harmless(value), ',', true)).join(','))
  return { bytes: new TextEncoder().encode(`\ufeff${lines.join('\r\n')}\r\n`), filled, missing, unlabelled }
}

/** A text without its byte-order mark, and the bytes of an edited one with it. */
function decoded(bytes: Uint8Array): { readonly text: string; encode(text: string): Uint8Array } {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  let whole: string
  try {
    whole = new TextDecoder(isWide ? 'utf-16le' : 'utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw unusable('The file is not UTF-8 or UTF-16 text: export it again.')
  }
  const mark = whole.startsWith('\ufeff') ? '\ufeff' : ''
  return {
    text: whole.slice(mark.length),
    encode: (text) => (isWide ? wide(mark + text) : new TextEncoder().encode(mark + text)),
  }
}

function wide(text: string): Uint8Array {
  const bytes = new Uint8Array(2 * text.length)
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    bytes[2 * at] = unit & 0xff
    bytes[2 * at + 1] = unit >> 8
  }
  return bytes
}

/** A header without what an LMS adds: Canvas' `(123)`, Moodle's `(Real)`, Blackboard's `[Total Pts: 100 Score] |123`. */
const bare = (header: string): string =>
  header
    .trim()
    .replace(/ ?\[Total Pts:.*$/i, '')
    .replace(/ ?\((\d+|Real|Percentage|Letter)\)$/i, '')

function targetIn(
  header: readonly Cell[],
  rows: readonly (readonly Cell[])[],
  columns: readonly ReturnType<typeof columnOf>[],
  wanted: string,
): number {
  const titles = header.map(({ value }) => value.trim())
  const exactly = titles.flatMap((title, at) => (title === wanted ? [at] : []))
  const found = exactly.length > 0 ? exactly : titles.flatMap((title, at) => (bare(title) === wanted ? [at] : []))
  const [at] = found
  const others = titles.filter((title, place) => columns[place] === undefined && title !== '')
  if (at === undefined) {
    const has = others.slice(0, 8).map((title) => JSON.stringify(bare(title).slice(0, 60)))
    throw new ExpectedError(
      'usage',
      'grade-column-unknown',
      `The file has no column "${wanted}"; it has ${has.join(', ') || 'none for grades'}.${didYouMean(wanted, others.map(bare))}`,
    )
  }
  const isReadOnly = [titles[at]!, ...rows.slice(0, 2).map((row) => row[at]?.value ?? '')].some((each) =>
    /\(read only\)/i.test(each),
  )
  if (found.length > 1 || columns[at] !== undefined || isReadOnly) {
    const why =
      found.length > 1 ? 'there are several of them' : isReadOnly ? 'it is read only' : 'it says who a row is about'
    throw new ExpectedError('usage', 'grade-column-unfit', `The column "${wanted}" cannot be filled: ${why}.`)
  }
  return at
}

type Columns = readonly ReturnType<typeof columnOf>[]

const cellOf = (values: readonly string[], columns: Columns, column: Columns[number]): string =>
  values[columns.indexOf(column)] ?? ''

function nameIn(values: readonly string[], columns: Columns): string {
  const full = cellOf(values, columns, 'name') || unsorted(cellOf(values, columns, 'sorted-name'))
  return full || `${cellOf(values, columns, 'first')} ${cellOf(values, columns, 'last')}`.trim() || values[0]!
}

type Values = readonly string[]

/** Columns that tell people apart besides their names. */
const identifiers = [...idKinds, 'email'] as const
type Identifier = (typeof identifiers)[number]

/**
 * The students of rows: by an identifier of the school or the LMS, by the e-mail address, else by a name that one student has. A row with
 * another identifier of the same kind is not theirs; nor is a row with another e-mail address, if only the name is theirs. null: nobody, or
 * more than one. `rows`: null is nobody's.
 */
function matched(
  rows: readonly (Values | null)[],
  columns: Columns,
  students: readonly GradedPerson[],
): readonly (GradedPerson | null)[] {
  const byKey = Map.groupBy(
    students.flatMap((student) => keysOf(student).map((key) => ({ key, student }))),
    ({ key }) => key,
  )
  const having = (keys: readonly string[]): ReadonlySet<GradedPerson> =>
    new Set(keys.flatMap((key) => (byKey.get(key) ?? []).map(({ student }) => student)))
  const keysIn = (values: Values): readonly string[] =>
    identifiers.flatMap((kind) => keyOf(kind, cellOf(values, columns, kind)))
  const contradicts = (values: Values, student: GradedPerson, kinds: readonly Identifier[]): boolean =>
    kinds.some((kind) => {
      const [stated] = keyOf(kind, identifierOf(student, kind))
      const [given] = keyOf(kind, cellOf(values, columns, kind))
      return stated !== undefined && given !== undefined && stated !== given
    })
  const taken = new Set<GradedPerson>()
  const found = rows.map((): GradedPerson | null => null)
  const take = (at: number, candidates: readonly GradedPerson[]): void => {
    const [first] = candidates
    if (first === undefined || candidates.length > 1 || taken.has(first)) return
    taken.add(first)
    found[at] = first
  }
  const unknown: (readonly [at: number, values: Values])[] = []
  for (const [at, values] of rows.entries()) {
    if (values === null) continue
    const candidates = [...having(keysIn(values))]
    if (candidates.length === 0) unknown.push([at, values])
    else if (!candidates.some((student) => contradicts(values, student, idKinds))) take(at, candidates)
  }
  // After all identifiers, because the row of a namesake may stand above that of the student.
  for (const [at, values] of unknown) {
    const namesakes = [...having([`name ${folded(nameIn(values, columns))}`])]
    take(
      at,
      namesakes.filter((student) => !contradicts(values, student, identifiers)),
    )
  }
  return found
}

const identifierOf = ({ email, ids }: GradedPerson, kind: Identifier): string =>
  (kind === 'email' ? email : ids[kind]) ?? ''

/** One key, or none for ''. */
function keyOf(kind: Identifier, value: string): readonly string[] {
  return value === '' ? [] : [`${kind} ${kind === 'school' || kind === 'canvas' ? value : folded(value)}`]
}

const folded = (text: string): string => text.normalize('NFC').toLowerCase()

function keysOf(student: GradedPerson): readonly string[] {
  return [`name ${folded(student.name)}`, ...identifiers.flatMap((kind) => keyOf(kind, identifierOf(student, kind)))]
}

const unusable = (message: string): ExpectedError => new ExpectedError('usage', 'grade-file-invalid', message)
