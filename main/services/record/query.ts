import { constants, DatabaseSync, type StatementSync } from 'node:sqlite'
import { ExpectedError } from '../../contract/expected-error.ts'
import { linesOfPlace } from '../../contract/histories/query-place.ts'
import { sentence } from '../../contract/sentence.ts'
import { damageOf } from './damage.ts'

/** A query of a stranger. */
export interface QueryOrder {
  /** The database; it is opened for reading. */
  readonly file: string
  readonly sql: string
  /** The values of the parameters of `sql`, by their names. */
  readonly parameters: Readonly<Record<string, string | number | null>>
  /** The tables and views that it may read. */
  readonly tables: readonly string[]
  /** The number of rows that are left out at the beginning. */
  readonly offset: number
  /** The maximum number of rows of the answer. */
  readonly rowsMax: number
  /** Maximum characters of a text in the answer; longer ones are cut. null: they are whole. */
  readonly cellMax: number | null
}

/** The rows of an answer. */
export interface QueryAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
  /** True: there are more rows, which were left out. */
  readonly more: boolean
  /** True: long texts were cut. */
  readonly cut: boolean
}

/** Maximum characters of a query. */
const QUERY_MAX = 100_000
/** Maximum characters of an answer, with and without whole texts; the first row may exceed it. */
const ANSWER_MAX = { whole: 8_000_000, cut: 1_000_000 }
/** Characters that a number counts as. */
const NUMBER = 8
/** Bytes of memory that SQLite takes at most. */
const HEAP_MAX = 268_435_456

/**
 * Bounds on what a query may make SQLite compute at once. `attach`: no other database. Time and memory of the whole process
 * are limited from outside.
 */
const limits = {
  ...{ length: 10_000_000, sqlLength: QUERY_MAX, column: 500, exprDepth: 200, compoundSelect: 100, vdbeOp: 1_000_000 },
  ...{ functionArg: 100, attach: 0, likePatternLength: 1_000, variableNumber: 100, triggerDepth: 0 },
}

/**
 * Answers one SELECT. Nothing can be written, attached, loaded or set: the database is opened for reading, and an authorizer
 * refuses everything but reading `tables` and calling functions without side effects. Throws ExpectedError 'usage' with
 * SQLite's reason.
 */
export function answerQuery({ file, ...query }: QueryOrder): QueryAnswer {
  const database = openedForQueries(file, true)
  try {
    return answerIn(database, query)
  } finally {
    database.close()
  }
}

/** Opens a database with the limits of queries; rows are lists of cells, and whole numbers are bigint. */
export function openedForQueries(file: string, readOnly: boolean): DatabaseSync {
  const database = new DatabaseSync(file, {
    ...{ readOnly, allowExtension: false, readBigInts: true, returnArrays: true, limits },
  })
  // Large sorts stay in memory, where they are limited, and do not fill the disk.
  database.exec(`PRAGMA temp_store = MEMORY; PRAGMA hard_heap_limit = ${HEAP_MAX}`)
  return database
}

/** Like `answerQuery`, in a database that `openedForQueries` has opened, which can only be read from then on. */
export function answerIn(
  database: DatabaseSync,
  { sql, parameters, tables, ...wanted }: Omit<QueryOrder, 'file'>,
): QueryAnswer {
  database.exec('PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON')
  const denied: string[] = []
  database.setAuthorizer(authorizer(new Set(tables), hiddenIn(database, tables), denied))
  try {
    return read(preparedAlone(database, sql), parameters, wanted)
  } catch (error) {
    if (error instanceof ExpectedError) throw error
    const damage = damageOf(error)
    if (damage !== null) throw damage
    const [reason] = denied
    if (reason !== undefined) throw new ExpectedError('usage', 'query-forbidden', reason)
    const message = error instanceof Error ? error.message : String(error)
    const at = mistakeIn(database, sql, message)
    throw new ExpectedError(
      'usage',
      'query-invalid',
      sentence(`The query cannot be answered: ${message}`),
      at === null ? null : linesOfPlace(sql, at),
    )
  }
}

/** Words and signs that are tried as the place of a mistake. */
const TRIED_MAX = 200

/** The offset of the mistake that SQLite has found in a query; null: it does not say. */
function mistakeIn(database: DatabaseSync, sql: string, message: string): number | null {
  if (message === 'incomplete input') return sql.trimEnd().length
  const near = /^near "([^]+)": /.exec(message)?.[1]
  const named = /^(?:no such (?:column|table|function)|ambiguous column name|unrecognized token): "?([^]+?)"?$/.exec(
    message,
  )?.[1]
  const called = /function (\w+)\(\)/.exec(message)?.[1]
  if (near === undefined) return placesOf(sql, named ?? called ?? '')[0] ?? null
  // SQLite stops at the first word that fits nowhere: up to there the query is only not complete.
  return placesOf(sql, near).find((at) => problemWith(database, sql.slice(0, at + near.length)) === message) ?? null
}

/** Strings and comments. */
const strings = /'(?:[^']|'')*'|--[^\n]*|\/\*[^]*?\*\//g

/** The offsets at which a word or sign stands by itself. */
function placesOf(sql: string, word: string): readonly number[] {
  if (word === '') return []
  // Names are not in strings and comments, but a string can be the mistake itself.
  const bare = word.startsWith("'") ? sql : sql.replace(strings, (text) => ' '.repeat(text.length))
  const isPart = (character = ''): boolean => /[\w$]/.test(character)
  const places: number[] = []
  for (let at = bare.indexOf(word); at !== -1 && places.length < TRIED_MAX; at = bare.indexOf(word, at + 1))
    if (!isPart(word[0]) || (!isPart(bare[at - 1]) && !isPart(bare[at + word.length]))) places.push(at)
  return places
}

function problemWith(database: DatabaseSync, sql: string): string | null {
  try {
    database.prepare(sql)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : null
  }
}

/** White space, comments and semicolons. */
const nothing = /^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*[^]*?(?:\*\/|$))*/

/** The statement, if it is a single one that begins like a query. */
function preparedAlone(database: DatabaseSync, sql: string): StatementSync {
  if (sql.length > QUERY_MAX)
    throw new ExpectedError('usage', 'query-invalid', `The query has more than ${QUERY_MAX} characters.`)
  const statement = sql.replace(nothing, '')
  if (statement === '') throw new ExpectedError('usage', 'query-invalid', 'The query is empty.')
  if (!/^(?:select|with|values)\b/i.test(statement))
    throw new ExpectedError('usage', 'query-forbidden', 'A query begins with SELECT, WITH or VALUES.')
  const prepared = database.prepare(statement)
  if (statement.slice(prepared.sourceSQL.length).replace(nothing, '') !== '')
    throw new ExpectedError('usage', 'query-invalid', 'A query is one statement, and there is a second one.')
  return prepared
}

function read(
  prepared: StatementSync,
  parameters: QueryOrder['parameters'],
  { offset, rowsMax, cellMax }: Pick<QueryOrder, 'offset' | 'rowsMax' | 'cellMax'>,
): QueryAnswer {
  const rows: (string | number | null)[][] = []
  const most = cellMax === null ? ANSWER_MAX.whole : ANSWER_MAX.cut
  let [at, characters, more, cut] = [0, 0, false, false]
  for (const row of prepared.iterate({ ...parameters }) as Iterable<unknown>) {
    if (at++ < offset) continue
    const cells = (row as readonly SqlValue[]).map((value) => {
      const cell = cellOf(value)
      if (cellMax === null || typeof cell !== 'string' || cell.length <= cellMax) return cell
      cut = true
      return `${cell.slice(0, cellMax)}…`
    })
    for (const cell of cells) characters += typeof cell === 'string' ? cell.length : NUMBER
    if (rows.length === rowsMax || (rows.length > 0 && characters > most)) {
      more = true
      break
    }
    rows.push(cells)
  }
  return { columns: distinct(prepared.columns().map(({ name }) => name)), rows, more, cut }
}

/** Names of columns, where a repeated one gets a number: a table joined with itself has each of its names twice. */
function distinct(names: readonly string[]): readonly string[] {
  const given = new Set(names)
  const used = new Set<string>()
  return names.map((name) => {
    let [numbered, count] = [name, 1]
    while (used.has(numbered) || (count > 1 && given.has(numbered))) numbered = `${name} ${++count}`
    used.add(numbered)
    return numbered
  })
}

type SqlValue = string | number | bigint | null | Uint8Array

/** As JSON can have it: numbers that JavaScript does not have exactly become texts, and bytes their hexadecimal digits. */
function cellOf(value: SqlValue): string | number | null {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : String(value)
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}

/** Table-valued functions that read their arguments alone. */
const tableFunctions: ReadonlySet<string> = new Set(['json_each', 'json_tree'])

/** Functions without side effects that do not look at the machine. */
const functions: ReadonlySet<string> = new Set(
  `abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling char coalesce concat concat_ws cos cosh count cume_dist date
  datetime degrees dense_rank exp first_value floor format glob group_concat hex ifnull iif if instr json json_array
  json_array_length json_extract json_group_array json_group_object json_object json_quote json_type json_valid julianday
  lag last_value lead length like likelihood likely ln log log10 log2 lower ltrim max min mod nth_value ntile nullif
  octet_length percent_rank pi pow power printf quote radians rank replace round row_number rtrim sign sin sinh sqrt
  strftime string_agg substr substring sum tan tanh time timediff total trim trunc typeof unhex unicode unixepoch unlikely
  upper -> ->>`.split(/\s+/),
)

/** The other tables of a database. */
function hiddenIn(database: DatabaseSync, tables: readonly string[]): ReadonlySet<string> {
  const rows = database.prepare('SELECT name FROM sqlite_schema').all() as unknown as readonly (readonly [string])[]
  const names = new Set(rows.map(([name]) => name.toLowerCase()))
  for (const table of tables) names.delete(table.toLowerCase())
  return names
}

/** Tables of SQLite itself. */
const internal = /^(?:sqlite_|pragma_)/i

/** Allows reading these tables and calling these functions. `denied` gets a sentence about everything else that is tried. */
function authorizer(
  tables: ReadonlySet<string>,
  hidden: ReadonlySet<string>,
  denied: string[],
): (action: number, first: string | null, second: string | null) => number {
  const refuse = (sentence: string): number => {
    denied.push(sentence)
    return constants.SQLITE_DENY
  }
  return (action, first, second) => {
    switch (action) {
      case constants.SQLITE_SELECT:
      case constants.SQLITE_RECURSIVE:
        return constants.SQLITE_OK
      case constants.SQLITE_READ: {
        const table = first ?? ''
        // SQLite asks so about a table of which no column is read, such as a common table expression that is only counted.
        const isNone = second === '' && !hidden.has(table.toLowerCase()) && !internal.test(table)
        const isKnown = tables.has(table) || tableFunctions.has(table) || isNone
        return isKnown ? constants.SQLITE_OK : refuse(`A query cannot read the table ${table}.`)
      }
      case constants.SQLITE_FUNCTION: {
        const called = (second ?? '').toLowerCase()
        return functions.has(called) ? constants.SQLITE_OK : refuse(`A query cannot call the function ${called}.`)
      }
      default:
        return refuse('A query can only read: it cannot change, attach, load or set anything.')
    }
  }
}
