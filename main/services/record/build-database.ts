import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PRIVATE_FILE } from '../../administrator/classroom/private-files.ts'
import { isBeingWritten } from '../../administrator/classroom/synced-file.ts'
import type { ErasedGame } from '../../contract/game/game.ts'
import type { HeaderBody } from '../../contract/histories/history.ts'
import { syncFile } from '../../histories/durable.ts'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'
import { beginning, findNewRuns, type NewRuns, type Position, type Segments } from './new-runs.ts'
import { readRuns, type RunFacts, type RunReader } from './read-runs.ts'

/** A database to bring up to date. */
export interface BuildOrder extends Segments {
  /** The database; created if there is none. */
  readonly file: string
  /** True: it is built from the beginning, whatever is there. */
  readonly anew: boolean
}

/** A database that is up to date. */
export interface BuiltDatabase {
  /** The numbers of matches and bytes. */
  readonly matches: number
  readonly bytes: number
  /** The numbers of matches and events that were added. */
  readonly added: { readonly matches: number; readonly events: number }
  /** True: it was built from the beginning. */
  readonly anew: boolean
}

/** The contents of a database, which are written match by match. */
export interface DatabaseContents {
  /** Changes with everything that the contents depend on, besides the histories. */
  form(game: ErasedGame): string
  /** Creates the tables of an empty database. */
  create(database: DatabaseSync, game: ErasedGame): void
  /** Begins to add matches; `finish` is called after the last. */
  open(
    database: DatabaseSync,
    game: ErasedGame,
  ): { begin(header: HeaderBody, facts: RunFacts): RunReader; finish(): void }
  /** Called once, when a new database has been filled. */
  index(database: DatabaseSync, game: ErasedGame): void
}

/** The table in which a database says what it was made of; queries do not see it. */
const MADE_OF = 'made_of'

/** Names the matches that a database has, whatever it contains. */
const HAS = 'has_match'

/**
 * Brings a database of a contest up to date: adds the matches that have finished since to a copy and puts the copy in its place, so that
 * queries always read a complete one. A database of another form, or one that cannot be read, is built from the beginning.
 * Rejects with ExpectedError 'verdict' if the histories are damaged, and MachineError.
 */
export async function buildDatabase(
  game: ErasedGame,
  order: BuildOrder,
  contents: DatabaseContents,
): Promise<BuiltDatabase> {
  // Backups leave out files with such names.
  const growing = `${order.file}.${randomUUID()}.new`
  try {
    await removeLeftovers(order.file)
    if (!order.anew && (await copied(order.file, growing))) {
      const extended = await extend(order, game, contents, growing)
      if (extended !== null) return extended
    }
    await rm(growing, { force: true })
    await writeFile(growing, '', { mode: PRIVATE_FILE, flag: 'wx' })
    return await fill(order, game, contents, growing, null)
  } catch (error) {
    throw problemOf(error, order.file)
  } finally {
    await rm(growing, { force: true })
  }
}

/** The time in ms after which a database that is being written was left by a process that was killed. */
const LEFT_MS = 7_200_000

async function removeLeftovers(file: string): Promise<void> {
  for (const name of await readdir(dirname(file))) {
    if (!name.startsWith(`${basename(file)}.`) || !isBeingWritten(name)) continue
    const path = join(dirname(file), name)
    const written = await stat(path).catch(() => null)
    if (written !== null && Date.now() - written.mtimeMs > LEFT_MS) await rm(path, { force: true })
  }
}

async function copied(file: string, to: string): Promise<boolean> {
  try {
    await copyFile(file, to, constants.COPYFILE_FICLONE)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw machineErrorFrom(error, 'copy', file)
  }
}

/** Null: the copy has another form, or cannot be read. */
async function extend(
  order: BuildOrder,
  game: ErasedGame,
  contents: DatabaseContents,
  growing: string,
): Promise<BuiltDatabase | null> {
  const database = openedQuietly(growing)
  if (database === null) return null
  let from: Position | null
  try {
    from = positionIn(database, order, contents.form(game))
  } finally {
    database.close()
  }
  if (from === null) return null
  try {
    return await fill(order, game, contents, growing, from)
  } catch (error) {
    // Somebody has damaged the database.
    if (isOfSqlite(error)) return null
    throw error
  }
}

function openedQuietly(path: string): DatabaseSync | null {
  try {
    return new DatabaseSync(path)
  } catch {
    return null
  }
}

/** The position up to which the database has read; null: it is to be built again. */
function positionIn(database: DatabaseSync, { contest, key }: Segments, form: string): Position | null {
  try {
    const rows = database.prepare(`SELECT name, value FROM ${MADE_OF}`).all()
    const facts = new Map(rows.map(({ name, value }) => [String(name), value === null ? null : String(value)]))
    const isSame = facts.get('form') === form && facts.get('contest') === contest && facts.get('key') === key
    const segment = Number(facts.get('segment'))
    return isSame && Number.isSafeInteger(segment) ? { segment, previous: facts.get('previous') ?? null } : null
  } catch {
    return null
  }
}

/** `from`: null: the database is empty. */
async function fill(
  order: BuildOrder,
  game: ErasedGame,
  contents: DatabaseContents,
  growing: string,
  from: Position | null,
): Promise<BuiltDatabase> {
  const database = new DatabaseSync(growing)
  let matches: number
  const added = { matches: 0, events: 0 }
  try {
    // Nobody else sees the file, and it is thrown away if this fails.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768; BEGIN')
    if (from === null) {
      database.exec(`CREATE TABLE ${MADE_OF} (name TEXT PRIMARY KEY, value TEXT) STRICT`)
      database.exec(`CREATE TABLE ${HAS} (match INTEGER PRIMARY KEY) STRICT`)
      contents.create(database, game)
    }
    const known = database.prepare(`SELECT 1 FROM ${HAS} WHERE match = ?`)
    const found = await findNewRuns(order, from ?? beginning, (match) => known.get(match) !== undefined)
    await addRuns(database, contents.open(database, game), order.folder, found, added)
    if (from === null) contents.index(database, game)
    noteMadeOf(database, order, contents.form(game), found.next)
    matches = Number(database.prepare(`SELECT count(*) AS n FROM ${HAS}`).get()?.['n'] ?? 0)
    database.exec('COMMIT')
  } finally {
    database.close()
  }
  if (from === null || added.matches > 0) {
    await syncFile(growing)
    await rename(growing, order.file)
  }
  const { size } = await stat(order.file)
  return { matches, bytes: size, added, anew: from === null }
}

async function addRuns(
  database: DatabaseSync,
  adding: ReturnType<DatabaseContents['open']>,
  folder: string,
  found: NewRuns,
  added: { matches: number; events: number },
): Promise<void> {
  const note = database.prepare(`INSERT INTO ${HAS} VALUES (?)`)
  await readRuns(folder, found, (header, facts) => {
    const reader = adding.begin(header, facts)
    return {
      event(body, move) {
        added.events += 1
        reader.event(body, move)
      },
      end(body, head) {
        reader.end(body, head)
        note.run(header.match)
        added.matches += 1
      },
    }
  })
  adding.finish()
}

function noteMadeOf(database: DatabaseSync, { contest, key }: Segments, form: string, next: Position): void {
  const note = database.prepare(`INSERT OR REPLACE INTO ${MADE_OF} VALUES (?, ?)`)
  note.run('form', form)
  note.run('contest', contest)
  note.run('key', key)
  note.run('segment', String(next.segment))
  note.run('previous', next.previous)
}

export const isOfSqlite = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'

/** Errors of SQLite and of the system as problems of the machine: a full disk, for example. */
function problemOf(error: unknown, file: string): unknown {
  const isSystem = error instanceof Error && 'syscall' in error
  return isSystem || isOfSqlite(error) ? machineErrorFrom(error, 'write', file) : error
}
