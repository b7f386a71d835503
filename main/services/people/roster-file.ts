import { CsvError, parse } from 'csv-parse/sync'
import { ExpectedError } from '../../contract/expected-error.ts'
import { PEOPLE_MAX, person, personName, role, type IdKind, type Role } from '../../contract/people/people.ts'
import type { RosterProblem, RosterRow } from './roster.ts'

/** The maximum size of a roster file, in bytes. */
export const ROSTER_BYTES_MAX = 4 * 1024 * 1024

/** The people of a roster file, and the rows that cannot be imported. */
export interface Roster {
  readonly rows: readonly RosterRow[]
  readonly problems: readonly RosterProblem[]
}

type Column = 'name' | 'former-name' | 'sorted-name' | 'first' | 'last' | 'email' | 'section' | 'role' | IdKind

/**
 * The headers of the exports of Canvas, Moodle and Blackboard, in the languages in which Moodle is used most, and of lists that
 * people make. Compared without case; what a header has in brackets does not count.
 */
const columnsOfHeaders: Readonly<Record<string, Column>> = {
  name: 'name',
  'full name': 'name',
  student: 'sorted-name',
  'former name': 'former-name',
  ...headers('first', 'first name', 'firstname', 'given name', 'vorname', 'prénom', 'nome', 'nombre', 'voornaam'),
  ...headers('last', 'last name', 'lastname', 'surname', 'family name', 'nachname', 'nom', 'cognome', 'apellidos'),
  ...headers('last', 'apellido(s)', 'achternaam', 'nom de famille'),
  ...headers(
    'email',
    'email',
    'e-mail',
    'email address',
    'e-mail address',
    'mail',
    'e-mail-adresse',
    'adresse de courriel',
  ),
  ...headers('email', 'indirizzo email', 'dirección de correo', 'e-mailadres'),
  ...headers(
    'school',
    'sis user id',
    'id number',
    'student id',
    'student number',
    'id-nummer',
    "numéro d'identification",
  ),
  ...headers('school', 'matrikelnummer', 'codice identificativo', 'número de id'),
  ...headers('canvas', 'id'),
  ...headers('login', 'sis login id', 'username', 'user name', 'login', 'anmeldename', 'nom d’utilisateur'),
  ...headers('section', 'section', 'group', 'groups', 'class', 'gruppe', 'gruppen', 'klasse'),
  ...headers('role', 'role', 'roles'),
}

function headers(column: Column, ...names: readonly string[]): Readonly<Record<string, Column>> {
  return Object.fromEntries(names.map((name) => [name, column]))
}

/**
 * Reads a roster: the exports of Canvas, Moodle and Blackboard (CSV or tab-separated, UTF-8 or UTF-16), lists with a header such as
 * `name,email,section`, and plain lists of names, one a line. Throws ExpectedError 'usage' with code `roster-invalid` if the file as
 * a whole cannot be one.
 */
export function readRoster(bytes: Uint8Array): Roster {
  const records = recordsOf(decoded(bytes))
  const [header, ...others] = records
  if (header === undefined) throw invalid('The roster is empty.')
  const found = header.cells.map(columnOf)
  const isNames = records.every(({ cells }) => cells.length === 1) && found[0] === undefined
  if (!isNames && !found.some((column) => column === 'name' || column === 'sorted-name' || column === 'last'))
    throw invalid(
      `The roster needs a column for names, such as "Name", "Student" or "First name" and "Last name"; its first line has ` +
        `${header.cells
          .slice(0, 8)
          .map((cell) => JSON.stringify(cell.slice(0, 40)))
          .join(', ')}.`,
    )
  const columns: readonly (Column | undefined)[] = isNames ? ['name'] : found
  const people = (isNames ? records : others).filter(({ cells }) => !isNobody(cells, columns))
  if (people.length > PEOPLE_MAX) throw invalid(`The roster has more than ${PEOPLE_MAX} people.`)
  const rows: RosterRow[] = []
  const problems: RosterProblem[] = []
  for (const record of people) {
    const row = rowOf(record, columns)
    if (typeof row === 'string') problems.push({ line: record.line, problem: row })
    else rows.push(row)
  }
  if (rows.length + problems.length === 0) throw invalid('The roster has no people.')
  return { rows, problems }
}

interface CsvRecord {
  /** From 1. */
  readonly line: number
  readonly cells: readonly string[]
}

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw invalid(`The roster is not ${encoding.toUpperCase()} text: save it as "CSV UTF-8".`)
  }
}

function recordsOf(text: string): readonly CsvRecord[] {
  try {
    const parsed = parse(text, {
      delimiter: delimiterOf(text),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 100_000,
    }) as unknown as readonly { readonly info: { readonly lines: number }; readonly record: readonly string[] }[]
    return parsed
      .map(({ info, record }) => ({ line: info.lines, cells: record.map((cell) => cell.trim()) }))
      .filter(({ cells }) => cells.some((cell) => cell !== ''))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line: unknown = Reflect.get(error, 'lines')
    throw invalid(
      `The roster is not CSV: ${typeof line === 'number' ? `line ${line} has ` : ''}a quotation mark out of place.`,
    )
  }
}

/** The separator that the first line has most often outside of quotes; spreadsheets of many countries write semicolons. */
export function delimiterOf(text: string): string {
  const [first = ''] = text.trimStart().split(/\r\n|\r|\n/, 1)
  const bare = first.replaceAll(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((mark) => [bare.split(mark).length, mark] as const)
  return counts.toSorted(([a], [b]) => b - a)[0]![1]
}

export function columnOf(header: string): Column | undefined {
  const plain = header.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ')
  const known = (name: string): Column | undefined =>
    Object.hasOwn(columnsOfHeaders, name) ? columnsOfHeaders[name] : undefined
  return known(plain) ?? known(plain.replace(/ ?[([].*$/, ''))
}

/** Rows of Canvas' exports that are not people: maximum points, the ways in which grades are posted, and the test student. */
export function isNobody(cells: readonly string[], columns: readonly (Column | undefined)[]): boolean {
  const cell = (column: Column): string => cells[columns.indexOf(column)] ?? ''
  const names = ['sorted-name', 'last', 'first'] as const
  if (names.some((column) => /^points possible$/i.test(cell(column)))) return true
  if (/^student, test$/i.test(cell('sorted-name'))) return true
  if (/^student$/i.test(cell('last')) && /^test$/i.test(cell('first'))) return true
  return names.every((column) => cell(column) === '') && cells.some((each) => /^(manual posting|muted)$/i.test(each))
}

/** The person of a record, or the reason why it is not one. */
function rowOf({ line, cells }: CsvRecord, columns: readonly (Column | undefined)[]): RosterRow | string {
  const cell = (column: Column): string => cells[columns.indexOf(column)] ?? ''
  const full = cell('name') || unsorted(cell('sorted-name')) || `${cell('first')} ${cell('last')}`
  const name = personName.safeParse(full)
  if (!name.success) return `has a name that cannot be used: ${name.error.issues[0]!.message}`
  const email = cell('email')
  if (email !== '' && !person.shape.email.safeParse(email).success)
    return `has an e-mail address that is not one, ${JSON.stringify(email.slice(0, 60))}`
  const ids: Partial<Record<IdKind, string>> = {}
  for (const kind of ['school', 'canvas', 'login'] as const) if (cell(kind) !== '') ids[kind] = cell(kind)
  const others = person.pick({ ids: true, section: true }).safeParse({
    ids,
    ...(cell('section') === '' ? {} : { section: cell('section') }),
  })
  if (!others.success) return 'has an identifier or a section of more than 200 characters'
  const given = roleOf(cell('role'))
  if (given === null) return `has a role that does not exist, ${JSON.stringify(cell('role').slice(0, 60))}`
  return {
    line,
    name: name.data,
    ...(cell('former-name') === '' ? {} : { formerName: cell('former-name') }),
    ...(email === '' ? {} : { email }),
    ...others.data,
    ...(given === undefined ? {} : { role: given }),
  }
}

/** "Lovelace, Ada" as "Ada Lovelace". A name with another number of commas stays. */
export function unsorted(name: string): string {
  const parts = name.split(',').map((part) => part.trim())
  const [last = '', first = ''] = parts
  return parts.length === 2 && first !== '' && last !== '' ? `${first} ${last}` : name
}

/** undefined: it says nothing; null: there is no such role. */
function roleOf(text: string): Role | null | undefined {
  const plain = text.toLowerCase()
  if (plain === '') return undefined
  if (/^(teacher|editing teacher|lecturer|instructor|professor)$/.test(plain)) return 'educator'
  if (/^(non-editing teacher|teaching assistant|ta|tutor)$/.test(plain)) return 'assistant'
  if (/^(learner|participant)$/.test(plain)) return 'student'
  return role.safeParse(plain).data ?? null
}

function invalid(message: string): ExpectedError {
  return new ExpectedError('usage', 'roster-invalid', message)
}
