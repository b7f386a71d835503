import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Json } from '../../contract/json.ts'
import { AUDIT_KEPT_DAYS } from '../../contract/people/audit.ts'
import type { PersonId } from '../../contract/people/people.ts'
import { canonicalText } from '../../histories/canonical.ts'
import { inTransaction, type PeopleDatabase } from './people-database.ts'

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

/** The lines that are wanted; all conditions hold. */
export interface AuditFilter {
  /** Rooms of deeds, such as `people`; empty: all. */
  readonly deeds: readonly string[]
  /** A part of a deed or of its object; '': any. */
  readonly search: string
  /** People whose lines are wanted, too, when `search` is not in a line. */
  readonly people: readonly PersonId[]
}

const first = '0'.repeat(64)
const everything: AuditFilter = { deeds: [], search: '', people: [] }
/** Lines that are verified in one turn of the process. */
const VERIFIED_AT_ONCE = 2_000
/** The time for which a line is kept, in ms, and how much longer one may be, so that few lines are removed at a time seldom. */
const KEPT = AUDIT_KEPT_DAYS * 24 * 60 * 60_000
const SLACK = 24 * 60 * 60_000

/** Appends a line. Its hash has those of all lines before it. */
export function appendAudit(people: PeopleDatabase, line: Omit<AuditLine, 'n'>): void {
  const { database } = people
  const last = database.prepare('SELECT n, h FROM audit ORDER BY n DESC LIMIT 1').get() ?? cutOf(people)
  const n = Number(last['n']) + 1
  const what = canonicalText(line.what)
  database
    .prepare('INSERT INTO audit (n, at, person, did, what, h) VALUES (?, ?, ?, ?, ?, ?)')
    .run(n, line.at, line.person, line.did, what, hashOf(String(last['h']), { ...line, n }, what))
}

/** Lines of the log, newest first, and the number of those that are wanted. */
export function auditLines(
  { database }: PeopleDatabase,
  offset: number,
  limit: number,
  { deeds, search, people }: AuditFilter = everything,
): { readonly total: number; readonly items: readonly AuditLine[] } {
  // Substrings, not patterns: `instr` gives no character a meaning.
  const wanted = `
    FROM audit WHERE (?1 = '[]' OR substr(did, 1, instr(did || '.', '.') - 1) IN (SELECT value FROM json_each(?1)))
    AND (?2 = '' OR instr(lower(did || ' ' || what), lower(?2)) > 0 OR person IN (SELECT value FROM json_each(?3)))`
  const given = [JSON.stringify(deeds), search, JSON.stringify(people)]
  const total = Number(database.prepare(`SELECT count(*) AS n ${wanted}`).get(...given)?.['n'])
  const rows = database.prepare(`SELECT * ${wanted} ORDER BY n DESC LIMIT ?4 OFFSET ?5`).all(...given, limit, offset)
  return { total, items: rows.map((row) => lineOf(row)) }
}

/** Lines that a person caused, oldest first. */
export function auditOf({ database }: PeopleDatabase, person: PersonId): readonly AuditLine[] {
  return database
    .prepare('SELECT * FROM audit WHERE person = ? ORDER BY n')
    .all(person)
    .map((row) => lineOf(row))
}

/** Lines that others caused and that name a person by their id, oldest first. */
export function auditAbout({ database }: PeopleDatabase, person: PersonId): readonly AuditLine[] {
  return database
    .prepare('SELECT * FROM audit WHERE person IS NOT ?1 AND instr(what, ?1) > 0 ORDER BY n')
    .all(person)
    .map((row) => lineOf(row))
}

/** The lines about a deed after a time, in ms since the epoch. `person` null: of anybody. */
export function countAudit(
  { database }: PeopleDatabase,
  did: string,
  after: number,
  person: PersonId | null = null,
): number {
  const counted = database
    .prepare('SELECT count(*) AS n FROM audit WHERE did = ?1 AND at > ?2 AND (?3 IS NULL OR person = ?3)')
    .get(did, after, person)
  return Number(counted?.['n'])
}

/** The number of the first line that is missing or was changed; null: the chain holds. Others have their turn meanwhile. */
export async function brokenAuditLine(people: PeopleDatabase): Promise<number | null> {
  let { n, h } = cutOf(people)
  for (;;) {
    const rows = people.database.prepare('SELECT * FROM audit WHERE n > ? ORDER BY n LIMIT ?').all(n, VERIFIED_AT_ONCE)
    for (const row of rows) {
      h = hashOf(h, partsOf(row), String(row['what']))
      if (Number(row['n']) !== n + 1 || h !== row['h']) return n + 1
      n += 1
    }
    if (rows.length < VERIFIED_AT_ONCE) return null
    await setImmediate()
  }
}

/** The number of the first line that is kept; earlier ones were removed because of their age. */
export function firstAuditLine(people: PeopleDatabase): number {
  return cutOf(people).n + 1
}

/**
 * Removes the lines that are older than `AUDIT_KEPT_DAYS`, and notes that in a line. The hash of the last of them stays, so that the chain
 * of the others can be verified. A clock that is ahead removes nothing: the newest line has to be that much younger, too.
 */
export function pruneAudit(people: PeopleDatabase, now: number): void {
  const { database } = people
  const ends = database.prepare('SELECT min(at) AS oldest, max(at) AS newest FROM audit').get()
  if (typeof ends?.['newest'] !== 'number') return
  const before = Math.min(now, ends['newest']) - KEPT
  if (Number(ends['oldest']) >= before - SLACK) return
  inTransaction(people, () => {
    // Only what comes before every line that is kept: clocks may have been set back.
    const last = database
      .prepare('SELECT n, h FROM audit WHERE n < (SELECT min(n) FROM audit WHERE at >= ?) ORDER BY n DESC LIMIT 1')
      .get(before)
    if (last === undefined) return
    database.prepare('INSERT OR REPLACE INTO audit_cut (one, n, h) VALUES (1, ?, ?)').run(last['n']!, last['h']!)
    const removed = database.prepare('DELETE FROM audit WHERE n <= ?').run(last['n']!).changes
    const what = { lines: Number(removed), before: new Date(before).toISOString() }
    appendAudit(people, { at: now, person: null, did: 'audit.prune', what })
  })
}

/** The last line that was removed, with number 0 where none was. */
function cutOf({ database }: PeopleDatabase): { readonly n: number; readonly h: string } {
  const cut = database.prepare('SELECT n, h FROM audit_cut').get()
  return cut === undefined ? { n: 0, h: first } : { n: Number(cut['n']), h: String(cut['h']) }
}

function hashOf(previous: string, { n, at, person, did }: Omit<AuditLine, 'what'>, what: string): string {
  return createHash('sha256')
    .update(previous + canonicalText({ n, at, person, did, what }))
    .digest('hex')
}

type Row = Readonly<Record<string, unknown>>

function partsOf(row: Row): Omit<AuditLine, 'what'> {
  return {
    n: Number(row['n']),
    at: Number(row['at']),
    person: typeof row['person'] === 'string' ? row['person'] : null,
    did: String(row['did']),
  }
}

function lineOf(row: Row): AuditLine {
  return { ...partsOf(row), what: JSON.parse(String(row['what'])) as Json }
}
