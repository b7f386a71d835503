import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { PersonId } from '../../contract/people/people.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import type { PasswordHasher } from './passwords.ts'
import { inTransaction, PEOPLE_FILE, type PeopleDatabase } from './people-database.ts'

/** Digits and letters that nobody takes for one another when they copy a slip: no 0, O, 1, I, L. */
const CODE_CHARACTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const CODE_LENGTH = 8
/** ms: 14 days. */
export const CODE_LIFE = 14 * 24 * 60 * 60 * 1_000

/** A code of eight characters: 39 bits. */
export function randomCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('')
}

/** A code as somebody typed it, with the small letters, spaces and hyphens that people add. */
export function typedCode(text: string): string {
  return text.toUpperCase().replaceAll(/[\s-]/g, '')
}

/** A one-time code, which is shown once: the database has its hash alone. */
export interface OneTimeCode {
  readonly code: string
  readonly until: Date
}

/** A code that is not valid yet. */
export interface DrawnCode {
  readonly person: PersonId
  readonly code: string
  readonly hash: string
}

/** Draws a code for a person, which `keepCodes` makes valid. Rejects like the hasher. */
export async function drawCode(hasher: PasswordHasher, person: PersonId): Promise<DrawnCode> {
  const code = randomCode()
  return { person, code, hash: await hasher.hash(code) }
}

/** Makes codes valid from a time on, all of them or, if it throws, none. Their people's former ones are no longer valid. */
export function keepCodes(people: PeopleDatabase, drawn: readonly DrawnCode[], now: Date): readonly OneTimeCode[] {
  const until = new Date(now.getTime() + CODE_LIFE)
  return inTransaction(people, () =>
    drawn.map(({ person, code, hash }) => {
      people.database
        .prepare('INSERT OR REPLACE INTO one_time_code (person, hash, until) VALUES (?, ?, ?)')
        .run(person, hash, until.getTime())
      return { code, until }
    }),
  )
}

/** The hash of the code of a person that is valid at a time; null: they have none. */
export function codeHash({ database }: PeopleDatabase, person: PersonId, now: Date): string | null {
  const row = database
    .prepare('SELECT hash FROM one_time_code WHERE person = ? AND until > ?')
    .get(person, now.getTime())
  return row === undefined ? null : String(row['hash'])
}

/** Uses up the code of a person with this hash. False: somebody else has used it, or there is a new one. */
export function redeemCode({ database }: PeopleDatabase, person: PersonId, hash: string): boolean {
  return database.prepare('DELETE FROM one_time_code WHERE person = ? AND hash = ?').run(person, hash).changes === 1
}

/** Makes the code of a person invalid, if they have one. */
export function forgetCode({ database }: PeopleDatabase, person: PersonId): void {
  database.prepare('DELETE FROM one_time_code WHERE person = ?').run(person)
}

/** The ends of the codes that are valid at a time, by person. */
export function validCodes({ database }: PeopleDatabase, now: Date): ReadonlyMap<PersonId, Date> {
  const rows = database.prepare('SELECT person, until FROM one_time_code WHERE until > ?').all(now.getTime())
  return new Map(rows.map(({ person, until }) => [String(person), new Date(Number(until))]))
}

/** The same for a data folder, without locking it. Throws MachineError if they cannot be read. */
export function readValidCodes(data: string, now: Date): ReadonlyMap<PersonId, Date> {
  const path = join(data, PEOPLE_FILE)
  if (!existsSync(path)) return new Map()
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true })
    // A database that an older version wrote is brought to today's form when it is next opened for writing.
    const isOld = Number(database.prepare('PRAGMA user_version').get()?.['user_version']) < 2
    if (!isOld) return validCodes({ database }, now)
    const rows = database.prepare('SELECT person, until FROM code WHERE until > ?').all(now.getTime())
    return new Map(rows.map(({ person, until }) => [String(person), new Date(Number(until))]))
  } catch (error) {
    throw machineErrorFrom(error, 'read', path)
  } finally {
    database?.close()
  }
}
