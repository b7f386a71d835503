import { chmodSync, copyFileSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { ExpectedError } from '../../contract/expected-error.ts'
import { syncFile } from '../../histories/durable.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { folderOfCopies } from '../classroom/older-forms.ts'
import { PRIVATE_FILE } from '../classroom/private-files.ts'
import { passingFolder } from '../classroom/scratch.ts'
import { renamedSync } from '../../histories/put-in-place.ts'

/** The file beside `class.json` for what grows by itself: accounts, sessions, failed sign-ins and the audit log. */
export const PEOPLE_FILE = 'people.db'

/** Each brings a database from the form with its index to the next one. */
const migrations: readonly string[] = [
  `CREATE TABLE code (
     person TEXT PRIMARY KEY,
     salt BLOB NOT NULL,
     hash BLOB NOT NULL,
     until INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
  // Hashes say with which parameters they were made.
  `CREATE TABLE one_time_code (
     person TEXT PRIMARY KEY,
     hash TEXT NOT NULL,
     until INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   INSERT INTO one_time_code
     SELECT person, 'scrypt$32768$8$1$' || lower(hex(salt)) || '$' || lower(hex(hash)), until FROM code;
   DROP TABLE code;
   CREATE TABLE account (
     person TEXT PRIMARY KEY,
     password TEXT NOT NULL,
     since INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE session (
     hash BLOB PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     person TEXT NOT NULL,
     kind TEXT NOT NULL,
     made INTEGER NOT NULL,
     seen INTEGER NOT NULL,
     until INTEGER NOT NULL,
     address TEXT NOT NULL,
     agent TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX session_person ON session (person);
   CREATE TABLE device (
     hash BLOB PRIMARY KEY,
     user_code TEXT NOT NULL UNIQUE,
     made INTEGER NOT NULL,
     until INTEGER NOT NULL,
     address TEXT NOT NULL,
     agent TEXT NOT NULL,
     person TEXT
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE guess (key TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
   CREATE INDEX guess_key ON guess (key, at);
   CREATE INDEX guess_at ON guess (at);
   CREATE TABLE class_code (code TEXT NOT NULL, until INTEGER NOT NULL) STRICT;
   CREATE TABLE audit (
     n INTEGER PRIMARY KEY,
     at INTEGER NOT NULL,
     person TEXT,
     did TEXT NOT NULL,
     what TEXT NOT NULL,
     h TEXT NOT NULL
   ) STRICT;
   CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
   CREATE TRIGGER audit_is_not_cut BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END`,
  `CREATE TABLE attempt (
     id INTEGER PRIMARY KEY,
     team TEXT NOT NULL,
     person TEXT,
     contest TEXT,
     game TEXT NOT NULL,
     file TEXT NOT NULL,
     sha256 TEXT NOT NULL,
     at INTEGER NOT NULL,
     state TEXT NOT NULL,
     reason TEXT,
     receipt INTEGER,
     version TEXT,
     given_back INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE INDEX attempt_of_team ON attempt (team, at);
   CREATE INDEX attempt_of_file ON attempt (sha256)`,
  `ALTER TABLE attempt ADD COLUMN late_days TEXT`,
  `CREATE TABLE guest_link (hash BLOB NOT NULL, until INTEGER NOT NULL) STRICT`,
  // The last line of the audit log that was removed because of its age: the chain goes on from its hash.
  `CREATE TABLE audit_cut (one INTEGER PRIMARY KEY CHECK (one = 1), n INTEGER NOT NULL, h TEXT NOT NULL) STRICT;
   DROP TRIGGER audit_is_not_cut;
   CREATE TRIGGER audit_is_not_cut BEFORE DELETE ON audit WHEN OLD.n > (SELECT coalesce(max(n), 0) FROM audit_cut)
     BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END`,
  // A JSON list: people take their attempts of a day along to another team.
  `ALTER TABLE attempt ADD COLUMN members TEXT NOT NULL DEFAULT '[]';
   CREATE INDEX attempt_at ON attempt (at)`,
  `CREATE TABLE practice (
     id INTEGER PRIMARY KEY,
     team TEXT NOT NULL,
     members TEXT NOT NULL,
     person TEXT NOT NULL,
     game TEXT NOT NULL,
     agent TEXT NOT NULL,
     version TEXT NOT NULL,
     number INTEGER NOT NULL,
     opponent TEXT NOT NULL,
     against TEXT NOT NULL,
     contest TEXT,
     at INTEGER NOT NULL,
     state TEXT NOT NULL,
     text TEXT
   ) STRICT;
   CREATE INDEX practice_of_team ON practice (team, at);
   CREATE INDEX practice_at ON practice (at)`,
  // Terminals that wait are in memory. `wish`: the choices of a hand-in, with which its file is read again after a crash.
  `DROP TABLE device;
   ALTER TABLE attempt ADD COLUMN wish TEXT;
   ALTER TABLE attempt ADD COLUMN readings INTEGER NOT NULL DEFAULT 1`,
]

/** The form of the database that this program writes; it reads all before. */
export const PEOPLE_FORM = migrations.length

/** Prepares each statement once: most calls of a busy class ask for the same session. */
class PreparingDatabase extends DatabaseSync {
  readonly #prepared = new Map<string, StatementSync>()

  override prepare(sql: string): StatementSync {
    const known = this.#prepared.get(sql) ?? super.prepare(sql)
    this.#prepared.set(sql, known)
    return known
  }
}

/** An open database of a class's accounts. Only the process that holds the data folder opens it. */
export interface PeopleDatabase {
  readonly database: DatabaseSync
  /** The temporary folder of a copy, which is removed with it. Absent: it is the class's own database. */
  readonly copyIn?: string
}

/**
 * Opens the database of a data folder, creating it if necessary. A transaction is on disk when it has returned. Throws
 * ExpectedError 'usage' if a newer program has written it, MachineError if it cannot be read or written.
 */
export function openPeopleDatabase(data: string): PeopleDatabase {
  const path = join(data, PEOPLE_FILE)
  let database: DatabaseSync | undefined
  try {
    // SQLite gives its other files the mode of this one.
    if (!existsSync(path)) writeFileSync(path, '', { mode: PRIVATE_FILE, flag: 'wx' })
    chmodSync(path, PRIVATE_FILE)
    database = new PreparingDatabase(path)
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON',
    )
    migrate(database, data)
    return { database }
  } catch (error) {
    database?.close()
    throw error instanceof ExpectedError ? error : machineErrorFrom(error, 'open', path)
  }
}

/**
 * A copy of the database in a temporary folder, for a class to look at: SQLite writes beside a database even to read it. It has
 * nobody's sessions, and no link for guests. Throws like `openPeopleDatabase`.
 */
export function openPeopleCopy(data: string): PeopleDatabase {
  const folder = passingFolder('people')
  try {
    copyFiles(data, folder)
    const { database } = openPeopleDatabase(folder)
    database.exec('DELETE FROM session; DELETE FROM guest_link')
    return { database, copyIn: folder }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** The database, and its write-ahead log: the last transactions are there. */
const copied = [PEOPLE_FILE, `${PEOPLE_FILE}-wal`] as const
/** Copies of a database to which another process writes meanwhile, until one counts. */
const COPIES_MAX = 50

function copyFiles(data: string, folder: string): void {
  for (let tries = 1; tries <= COPIES_MAX; tries++) {
    const before = stampsIn(data)
    try {
      for (const name of copied) {
        rmSync(join(folder, name), { force: true })
        if (!existsSync(join(data, name))) continue
        copyFileSync(join(data, name), join(folder, name))
        chmodSync(join(folder, name), PRIVATE_FILE)
      }
    } catch (error) {
      // A log is removed with the last connection.
      if (stampsIn(data) === before) throw machineErrorFrom(error, 'copy', join(data, PEOPLE_FILE))
    }
    if (stampsIn(data) === before) return
  }
}

/** Differs after each transaction. */
function stampsIn(data: string): string {
  return copied
    .map((name) => statSync(join(data, name), { bigint: true, throwIfNoEntry: false }))
    .map((found) => (found === undefined ? '-' : `${found.ino} ${found.mtimeNs} ${found.size}`))
    .join()
}

function migrate(database: DatabaseSync, data: string): void {
  const path = join(data, PEOPLE_FILE)
  const form = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
  if (form > migrations.length)
    throw new ExpectedError(
      'usage',
      'data-folder-newer',
      `${path} was written by a newer version of Tartaglia (form ${form}; this version reads up to form ` +
        `${migrations.length}). Open it with that version or a later one. The file was not changed.`,
    )
  if (form > 0 && form < migrations.length) keepOlderPeople(database, data, form)
  for (const [index, statements] of migrations.entries())
    if (index >= form) database.exec(`BEGIN; ${statements}; PRAGMA user_version = ${index + 1}; COMMIT`)
}

/** Keeps a copy of the database as an older version wrote it (`class-copies/people-form-3.db`). Throws what stands in the way. */
function keepOlderPeople(database: DatabaseSync, data: string, form: number): void {
  const copy = join(folderOfCopies(data), `people-form-${form}.db`)
  if (existsSync(copy)) return
  rmSync(`${copy}.new`, { force: true })
  database.prepare('VACUUM INTO ?').run(`${copy}.new`)
  chmodSync(`${copy}.new`, PRIVATE_FILE)
  dropPassing(`${copy}.new`)
  renamedSync(`${copy}.new`, copy)
}

/** Takes what ends by itself out of a copy in an older form, which lasts longer. */
function dropPassing(path: string): void {
  const copy = new DatabaseSync(path)
  try {
    const tables = copy.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    const passing = ['session', 'guest_link', 'guess'].filter((name) => tables.some((table) => table['name'] === name))
    copy.exec(`${passing.map((name) => `DELETE FROM ${name}; `).join('')}VACUUM`)
  } finally {
    copy.close()
  }
}

/**
 * Copies the database of a data folder into another folder as of its last transaction, whatever its other files hold. Returns its
 * size in bytes; 0: there is none. Throws MachineError.
 */
export async function copyPeopleDatabase(data: string, folder: string): Promise<number> {
  if (!existsSync(join(data, PEOPLE_FILE))) return 0
  const copy = join(folder, PEOPLE_FILE)
  const opened = openPeopleDatabase(data)
  try {
    opened.database.prepare('VACUUM INTO ?').run(copy)
  } catch (error) {
    throw machineErrorFrom(error, 'write', copy)
  } finally {
    closePeopleDatabase(opened)
  }
  chmodSync(copy, PRIVATE_FILE)
  await syncFile(copy)
  return statSync(copy).size
}

/** Takes sessions, links for guests and the code of the class out of a copy that nobody has open: they belong to the machine that gave them. Throws MachineError. */
export function dropSessions(folder: string): void {
  const path = join(folder, PEOPLE_FILE)
  if (!existsSync(path)) return
  try {
    const database = new DatabaseSync(path)
    // VACUUM overwrites what was deleted.
    database.exec('DELETE FROM session; DELETE FROM guest_link; DELETE FROM class_code; VACUUM')
    database.close()
  } catch (error) {
    throw machineErrorFrom(error, 'write', path)
  }
}

/** Why the database of a folder that nobody has open cannot be used; null: it can, or there is none. It is only read. */
export function whyDamaged(folder: string): string | null {
  const path = join(folder, PEOPLE_FILE)
  if (!existsSync(path)) return null
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      const found = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']
      return found === 'ok' ? null : `${PEOPLE_FILE} is damaged: ${String(found)}`
    } finally {
      database.close()
    }
  } catch (error) {
    return `${PEOPLE_FILE} is damaged: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Does some work in one transaction: all of it is kept, or, if it throws, nothing. */
export function inTransaction<T>({ database }: PeopleDatabase, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const done = work()
    database.exec('COMMIT')
    return done
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

export function closePeopleDatabase({ database, copyIn }: PeopleDatabase): void {
  database.close()
  if (copyIn !== undefined) rmSync(copyIn, { recursive: true, force: true })
}
