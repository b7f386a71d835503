import { randomBytes, randomInt, scrypt } from 'node:crypto'
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { PersonId } from '../../contract/people/people.ts'
import { syncFile } from '../../histories/durable.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { PRIVATE_FILE } from '../classroom/private-files.ts'

/** The file beside `class.json` for what grows by itself: today the one-time codes. */
const PEOPLE_FILE = 'people.db'

/** Each brings a database from the form with its index to the next one. */
const migrations: readonly string[] = [
  `CREATE TABLE code (
     person TEXT PRIMARY KEY,
     salt BLOB NOT NULL,
     hash BLOB NOT NULL,
     until INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
]

/** An open database of a class's accounts. Only the process that holds the data folder opens it. */
export interface PeopleDatabase {
  readonly database: DatabaseSync
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
    database = new DatabaseSync(path)
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    migrate(database, path)
    return { database }
  } catch (error) {
    database?.close()
    throw error instanceof ExpectedError ? error : machineErrorFrom(error, 'open', path)
  }
}

function migrate(database: DatabaseSync, path: string): void {
  const form = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
  if (form > migrations.length)
    throw new ExpectedError(
      'usage',
      'data-folder-newer',
      `${path} was written by a newer version of Tartaglia (form ${form}; this version reads up to form ` +
        `${migrations.length}). Open it with that version or a later one. The file was not changed.`,
    )
  for (const [index, statements] of migrations.entries())
    if (index >= form) database.exec(`BEGIN; ${statements}; PRAGMA user_version = ${index + 1}; COMMIT`)
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

export function closePeopleDatabase({ database }: PeopleDatabase): void {
  database.close()
}

/** Digits and letters that nobody takes for one another when they copy a slip: no 0, O, 1, I, L. */
const CODE_CHARACTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const CODE_LENGTH = 8
/** ms: 14 days. */
const CODE_LIFE = 14 * 24 * 60 * 60 * 1_000

/** The cost of guessing a code of 39 bits from its hash: 32 MiB and some 50 ms each. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const hashed = promisify<string, Uint8Array, number, typeof cost, Buffer>(scrypt)

/** A one-time code, which is shown once: the database has its hash alone. */
export interface OneTimeCode {
  readonly code: string
  readonly until: Date
}

/** Makes a code for a person at a time. Their former one is no longer valid. */
export async function makeCode({ database }: PeopleDatabase, person: PersonId, now: Date): Promise<OneTimeCode> {
  const code = Array.from({ length: CODE_LENGTH }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('')
  const salt = randomBytes(16)
  const hash = await hashed(code, salt, 32, cost)
  const until = new Date(now.getTime() + CODE_LIFE)
  database
    .prepare('INSERT OR REPLACE INTO code (person, salt, hash, until) VALUES (?, ?, ?, ?)')
    .run(person, salt, hash, until.getTime())
  return { code, until }
}

/**
 * The ends of the codes of a data folder that are valid at a time, by person, without locking the folder. Throws MachineError if
 * they cannot be read.
 */
export function readValidCodes(data: string, now: Date): ReadonlyMap<PersonId, Date> {
  const path = join(data, PEOPLE_FILE)
  if (!existsSync(path)) return new Map()
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true })
    const rows = database.prepare('SELECT person, until FROM code WHERE until > ?').all(now.getTime())
    return new Map(rows.map(({ person, until }) => [String(person), new Date(Number(until))]))
  } catch (error) {
    throw machineErrorFrom(error, 'read', path)
  } finally {
    database?.close()
  }
}

/** Makes the code of a person invalid, if they have one. */
export function forgetCode({ database }: PeopleDatabase, person: PersonId): void {
  database.prepare('DELETE FROM code WHERE person = ?').run(person)
}
