import { createHash } from 'node:crypto'
import type { Json } from '../../contract/json.ts'
import type { PersonId } from '../../contract/people/people.ts'
import { canonicalText } from '../../histories/canonical.ts'
import type { PeopleDatabase } from './people-database.ts'

/** Something that was done, in the log that only grows. */
export interface AuditLine {
  /** From 1. */
  readonly n: number
  /** ms since the epoch. */
  readonly at: number
  /** null: the person at the class's machine. */
  readonly person: PersonId | null
  /** The procedure or event, such as `people.remove`. */
  readonly did: string
  readonly what: Json
}

const first = '0'.repeat(64)

/** Appends a line. Its hash has those of all lines before it. */
export function appendAudit({ database }: PeopleDatabase, line: Omit<AuditLine, 'n'>): void {
  const last = database.prepare('SELECT n, h FROM audit ORDER BY n DESC LIMIT 1').get()
  const n = Number(last?.['n'] ?? 0) + 1
  const what = canonicalText(line.what)
  database
    .prepare('INSERT INTO audit (n, at, person, did, what, h) VALUES (?, ?, ?, ?, ?, ?)')
    .run(n, line.at, line.person, line.did, what, hashOf(String(last?.['h'] ?? first), { ...line, n }, what))
}

/** Lines of the log, newest first, and their number. */
export function auditLines(
  { database }: PeopleDatabase,
  offset: number,
  limit: number,
): { readonly total: number; readonly items: readonly AuditLine[] } {
  const total = Number(database.prepare('SELECT count(*) AS n FROM audit').get()?.['n'])
  const rows = database.prepare('SELECT * FROM audit ORDER BY n DESC LIMIT ? OFFSET ?').all(limit, offset)
  return { total, items: rows.map((row) => lineOf(row)) }
}

/** Lines that a person caused, oldest first. */
export function auditOf({ database }: PeopleDatabase, person: PersonId): readonly AuditLine[] {
  return database
    .prepare('SELECT * FROM audit WHERE person = ? ORDER BY n')
    .all(person)
    .map((row) => lineOf(row))
}

/** The number of the first line that is missing or was changed; null: the chain holds. */
export function brokenAuditLine({ database }: PeopleDatabase): number | null {
  let head = first
  let expected = 1
  for (const row of database.prepare('SELECT * FROM audit ORDER BY n').iterate()) {
    const line = lineOf(row)
    head = hashOf(head, line, String(row['what']))
    if (line.n !== expected || head !== row['h']) return expected
    expected += 1
  }
  return null
}

function hashOf(previous: string, { n, at, person, did }: Omit<AuditLine, 'what'>, what: string): string {
  return createHash('sha256')
    .update(previous + canonicalText({ n, at, person, did, what }))
    .digest('hex')
}

function lineOf(row: Readonly<Record<string, unknown>>): AuditLine {
  return {
    n: Number(row['n']),
    at: Number(row['at']),
    person: typeof row['person'] === 'string' ? row['person'] : null,
    did: String(row['did']),
    what: JSON.parse(String(row['what'])) as Json,
  }
}
