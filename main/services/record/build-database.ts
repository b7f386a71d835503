import { constants, type Stats } from 'node:fs'
import { copyFile, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PRIVATE_FILE } from '../../administrator/classroom/private-files.ts'
import type { ErasedGame } from '../../contract/game/game.ts'
import type { HeaderBody } from '../../contract/histories/history.ts'
import { syncFile } from '../../histories/durable.ts'
import { codeOf, MachineError, machineErrorFrom } from '../../histories/machine-error.ts'
import { growingName, removeLeftovers } from './leftovers.ts'
import {
  beginning,
  findNewRuns,
  positionBefore,
  withoutRead,
  type NewRuns,
  type Position,
  type Segments,
} from './new-runs.ts'
import { putInPlace } from '../../histories/put-in-place.ts'
import { readRuns, type RunFacts, type RunReader } from './read-runs.ts'

/** A database to bring up to date. */
export interface BuildOrder extends Segments {
  /** The database; created if there is none. */
  readonly file: string
  /** True: it is built from the beginning, whatever is there. */
  readonly anew: boolean
  /** Bytes that stay free on the disk. Default: twice the histories, 100 MB to 1 GB. */
  readonly free?: number
  /** The time in ms after which the matches so far are kept, so that a later call goes on from there. Default: `PART_MS`. */
  readonly partMs?: number
}

const PART_MS = 300_000

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

/** Names the matches that a database has, whatever it contains: each with its head and the segment in which it ended. */
const HAS = 'has_match'

/**
 * Bytes that stay free on the disk, at least and at most: at most as much as hand-ins leave for the histories of a contest that is being
 * played, and less where the database cannot grow so much, as in a small temporary folder.
 */
const FREE = { least: 104_857_600, most: 1_073_741_824 }

/**
 * Brings a database of a contest up to date: adds the matches that have finished since to a copy and puts the copy in its place, so that
 * queries always read whole matches. If that takes long, finished parts are put in their place meanwhile: a stop loses
 * only the last part. A database of another form, one that cannot be read, and one with a match that the segments
 * have lost is built from the beginning. Rejects with ExpectedError 'verdict' if the histories are damaged, and MachineError.
 */
export async function buildDatabase(
  game: ErasedGame,
  order: BuildOrder,
  contents: DatabaseContents,
): Promise<BuiltDatabase> {
  const growing = growingName(order.file)
  try {
    await removeLeftovers(order.file)
    const before = await stat(order.file).catch(() => null)
    const seen = order.anew ? null : await lackingIn(order, contents.form(game))
    if (seen !== null && seen.found.runs.size === 0)
      return { matches: seen.matches, bytes: seen.bytes, added: { matches: 0, events: 0 }, anew: false }
    await requireRoom(order, before?.size ?? 0)
    if (seen !== null) {
      // Another process was faster: the copy may have what was found.
      if (!(await copied(order.file, before, growing))) return await buildDatabase(game, order, contents)
      const extended = await extend(order, game, contents, growing, seen)
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

/** The new matches that a database lacks. */
interface Lacking {
  readonly found: NewRuns
  /** The number of matches and bytes that it has. */
  readonly matches: number
  readonly bytes: number
}

/** Null: there is no database, or it is to be built again. */
async function lackingIn(order: BuildOrder, form: string): Promise<Lacking | null> {
  const database = openedQuietly(order.file)
  if (database === null) return null
  try {
    const from = positionIn(database, order, form)
    if (from === null) return null
    const known = database.prepare(`SELECT 1 FROM ${HAS} WHERE match = ?`)
    const ended = database.prepare(`SELECT head FROM ${HAS} WHERE segment >= ?`).all(from.segment)
    const lost = new Set(ended.map(({ head }) => String(head)))
    const found = await findNewRuns(
      order,
      from,
      (match) => known.get(match) !== undefined,
      (head) => lost.delete(head),
    )
    // A power cut can take lines that were read before they were on the disk.
    if (lost.size > 0) return null
    return { found, matches: matchesIn(database), bytes: (await stat(order.file)).size }
  } catch (error) {
    // Somebody has damaged the database.
    if (isOfSqlite(error)) return null
    throw error
  } finally {
    database.close()
  }
}

const matchesIn = (database: DatabaseSync): number =>
  Number(database.prepare(`SELECT count(*) AS n FROM ${HAS}`).get()?.['n'] ?? 0)

/** Returns false if the file is another one than before. */
async function copied(file: string, before: Stats | null, to: string): Promise<boolean> {
  try {
    await copyFile(file, to, constants.COPYFILE_FICLONE)
    const { ino, mtimeMs } = await stat(file)
    return ino === before?.ino && mtimeMs === before.mtimeMs
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw machineErrorFrom(error, 'copy', file)
  }
}

/** The bytes that have to be free for a database of this size; null: they are. */
async function lackingRoom({ file, folder, free: wanted }: BuildOrder, bytes: number): Promise<number | null> {
  const free = wanted ?? freeFor(await bytesIn(folder))
  const disk = await statfs(dirname(file)).catch(() => null)
  return disk === null || disk.bavail * disk.bsize - bytes >= free ? null : bytes + free
}

/** Throws MachineError if a database of this size would leave too little of the disk. */
async function requireRoom(order: BuildOrder, bytes: number): Promise<void> {
  const lacking = await lackingRoom(order, bytes)
  if (lacking === null) return
  const { file } = order
  const megabytes = Math.ceil(lacking / 1_048_576)
  throw new MachineError(
    `Cannot write ${file}: it is written only while ${megabytes} MB of the disk are free, so that contests can go on.`,
    file,
    'disk-full',
  )
}

/** The bytes that stay free on the disk of a database about histories of this many bytes. */
export function freeFor(histories: number): number {
  return Math.min(FREE.most, Math.max(FREE.least, 2 * histories))
}

/** The bytes of the files in a folder. */
async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)))
  return sizes.reduce((sum, found) => sum + (found?.isFile() === true ? found.size : 0), 0)
}

/** Null: the copy cannot be read. */
async function extend(
  order: BuildOrder,
  game: ErasedGame,
  contents: DatabaseContents,
  growing: string,
  seen: Lacking,
): Promise<BuiltDatabase | null> {
  try {
    return await fill(order, game, contents, growing, seen)
  } catch (error) {
    // Somebody has damaged the database.
    if (isOfSqlite(error)) return null
    throw error
  }
}

function openedQuietly(path: string): DatabaseSync | null {
  try {
    return new DatabaseSync(path, { readOnly: true })
  } catch {
    return null
  }
}

/** The position up to which the database has read; null: it is to be built again. */
function positionIn(database: DatabaseSync, { contest, key }: Segments, form: string): Position | null {
  const rows = database.prepare(`SELECT name, value FROM ${MADE_OF}`).all()
  const facts = new Map(rows.map(({ name, value }) => [String(name), value === null ? null : String(value)]))
  const isSame = facts.get('form') === form && facts.get('contest') === contest && facts.get('key') === key
  const segment = Number(facts.get('segment'))
  return isSame && Number.isSafeInteger(segment) ? { segment, previous: facts.get('previous') ?? null } : null
}

/** `seen`: null: the database is empty. */
async function fill(
  order: BuildOrder,
  game: ErasedGame,
  contents: DatabaseContents,
  growing: string,
  seen: Lacking | null,
): Promise<BuiltDatabase> {
  let found = seen?.found ?? (await findNewRuns(order, beginning, () => false))
  const database = new DatabaseSync(growing)
  let matches: number
  const added = { matches: 0, events: 0 }
  try {
    // Nobody else sees the file, and it is thrown away if this fails.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768; BEGIN')
    if (seen === null) {
      database.exec(`CREATE TABLE ${MADE_OF} (name TEXT PRIMARY KEY, value TEXT) STRICT`)
      database.exec(`CREATE TABLE ${HAS} (match INTEGER PRIMARY KEY, head TEXT, segment INTEGER) STRICT`)
      contents.create(database, game)
    }
    const adding: Adding = { database, ...contents.open(database, game), added }
    for (let isFirst = true, isWhole = false; !isWhole; isFirst = false) {
      const left = await addRuns(adding, order, found)
      isWhole = left === null
      found = left ?? found
      if (seen === null && isFirst) contents.index(database, game)
      noteMadeOf(database, order, contents.form(game), isWhole ? found.next : positionBefore(found))
      database.exec('COMMIT')
      if (!isWhole) {
        await keepPart(order, growing)
        database.exec('BEGIN')
      }
    }
    matches = matchesIn(database)
  } finally {
    database.close()
  }
  await syncFile(growing)
  const { size } = await stat(growing)
  if (await putInPlace(growing, order.file, seen !== null)) return { matches, bytes: size, added, anew: seen === null }
  return { ...{ matches: seen?.matches ?? 0, bytes: seen?.bytes ?? 0 }, added: { matches: 0, events: 0 }, anew: false }
}

/** A database to which matches are added, and the numbers of those so far. */
interface Adding extends ReturnType<DatabaseContents['open']> {
  readonly database: DatabaseSync
  readonly added: { matches: number; events: number }
}

/** Adds runs, as many as fit into the time of a part and at least one. Returns those that are left; null: none. */
async function addRuns(
  { database, begin, finish, added }: Adding,
  { folder, partMs = PART_MS }: BuildOrder,
  found: NewRuns,
): Promise<NewRuns | null> {
  const note = database.prepare(`INSERT INTO ${HAS} VALUES (?, ?, ?)`)
  const read = new Set<number>()
  const until = performance.now() + partMs
  let begun = 0
  const from = await readRuns(
    folder,
    found,
    (header, facts) => {
      const reader = begin(header, facts)
      begun += 1
      return {
        event(body, move) {
          added.events += 1
          reader.event(body, move)
        },
        end(body, head) {
          reader.end(body, head)
          note.run(header.match, head, found.runs.get(body.r)?.segment ?? null)
          read.add(body.r)
          added.matches += 1
        },
      }
    },
    () => begun === 0 || performance.now() < until,
  )
  finish()
  return from === null ? null : withoutRead(found, read, from)
}

/** Puts a copy of a database that is being written in its place, if the disk has room for it. */
async function keepPart(order: BuildOrder, growing: string): Promise<void> {
  const { size } = await stat(growing)
  if ((await lackingRoom(order, size)) !== null) return
  const copy = growingName(order.file)
  try {
    await copyFile(growing, copy, constants.COPYFILE_FICLONE)
    await syncFile(copy)
    await putInPlace(copy, order.file, true)
  } finally {
    await rm(copy, { force: true })
  }
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
