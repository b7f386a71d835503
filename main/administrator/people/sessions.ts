import { createHash, randomBytes } from 'node:crypto'
import type { PersonId } from '../../contract/people/people.ts'
import type { PeopleDatabase } from './people-database.ts'

/** A session ends this long after it was used last. ms: 12 hours. */
export const SESSION_LIFE = 12 * 60 * 60 * 1_000
/** A use is noted when the last one was noted this long before. ms. */
const NOTED_EVERY = 60_000
/** The maximum number of sessions of a person; the one unused for longest is ended. */
const SESSIONS_MAX = 20

/** The origin of a request. */
export interface Place {
  readonly address: string
  /** The name that the browser or program gives itself. */
  readonly agent: string
}

/** A session of somebody who has signed in. Times in ms since the epoch. */
export interface Session extends Place {
  /** Public among the person's own sessions; the secret is another. */
  readonly id: string
  readonly person: PersonId
  readonly kind: 'browser' | 'terminal'
  readonly made: number
  readonly seen: number
}

/** A random secret of 256 bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The kept part of a secret: it is found by its hash, so that the time of a search reveals nothing of it. */
export function hashOfSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Begins a session; returns its secret, of which the hash alone is kept. */
export function beginSession(
  { database }: PeopleDatabase,
  { person, kind, address, agent }: Pick<Session, 'person' | 'kind' | 'address' | 'agent'>,
  now: number,
): { readonly secret: string; readonly id: string } {
  const secret = newSecret()
  const id = randomBytes(8).toString('hex')
  database
    .prepare(
      'INSERT INTO session (hash, id, person, kind, made, seen, until, address, agent) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(
      hashOfSecret(secret),
      id,
      person,
      kind,
      now,
      now,
      now + SESSION_LIFE,
      address.slice(0, 100),
      agent.slice(0, 300),
    )
  return { secret, id }
}

/** The session of a secret at a time, which counts as a use of it; `over`: `sweepSessions` has to delete it; null: none. */
export function useSession({ database }: PeopleDatabase, secret: string, now: number): Session | 'over' | null {
  const row = database.prepare('SELECT * FROM session WHERE hash = ?').get(hashOfSecret(secret))
  if (row === undefined) return null
  if (isOver(row, now)) return 'over'
  note(database, String(row['id']), Number(row['seen']), now)
  return sessionOf(row)
}

/** Notes that a session is being used. False: it is over. */
export function renewSession({ database }: PeopleDatabase, id: string, now: number): boolean {
  const row = database.prepare('SELECT * FROM session WHERE id = ?').get(id)
  if (row === undefined || isOver(row, now)) return false
  note(database, id, Number(row['seen']), now)
  return true
}

/** True if a session is not over. It does not count as a use. */
export function isSessionLive({ database }: PeopleDatabase, id: string, now: number): boolean {
  const row = database.prepare('SELECT * FROM session WHERE id = ?').get(id)
  return row !== undefined && !isOver(row, now)
}

function note(database: PeopleDatabase['database'], id: string, seen: number, now: number): void {
  if (now - seen < NOTED_EVERY) return
  database.prepare('UPDATE session SET seen = ?, until = ? WHERE id = ?').run(now, now + SESSION_LIFE, id)
}

/** The sessions of a person that are not over, the one used last first. */
export function sessionsOf({ database }: PeopleDatabase, person: PersonId, now: number): readonly Session[] {
  const rows = database.prepare('SELECT * FROM session WHERE person = ? ORDER BY seen DESC, made DESC').all(person)
  return rows.filter((row) => !isOver(row, now)).map((row) => sessionOf(row))
}

/** Ends sessions of a person: all, all but one, or one. Returns the ids of those ended. */
export function endSessions(
  { database }: PeopleDatabase,
  person: PersonId,
  which: { readonly except?: string; readonly only?: string } = {},
): readonly string[] {
  return idsOf(
    database
      .prepare(
        'DELETE FROM session WHERE person = ?1 AND (?2 IS NULL OR id <> ?2) AND (?3 IS NULL OR id = ?3) RETURNING id',
      )
      .all(person, which.except ?? null, which.only ?? null),
  )
}

/** Ends the sessions of a person that are too many. Returns their ids. */
export function endSurplusSessions({ database }: PeopleDatabase, person: PersonId): readonly string[] {
  return idsOf(
    database
      .prepare(
        `DELETE FROM session WHERE id IN
           (SELECT id FROM session WHERE person = ? ORDER BY seen DESC, made DESC LIMIT -1 OFFSET ?) RETURNING id`,
      )
      .all(person, SESSIONS_MAX),
  )
}

/**
 * Deletes the sessions that are over at a time, and returns their ids. As it happens every minute, and when one that is over is used, a
 * clock that is set back later revives none.
 */
export function sweepSessions({ database }: PeopleDatabase, now: number): readonly string[] {
  return idsOf(
    database.prepare('DELETE FROM session WHERE until <= ?1 OR seen - ?1 >= ?2 RETURNING id').all(now, SESSION_LIFE),
  )
}

/** The number of sessions that are not over. */
export function countSessions({ database }: PeopleDatabase, now: number): number {
  const row = database
    .prepare('SELECT count(*) AS number FROM session WHERE until > ?1 AND seen - ?1 < ?2')
    .get(now, SESSION_LIFE)
  return Number(row?.['number'])
}

/** When each person was seen last, in sessions that are kept. */
export function lastSeen({ database }: PeopleDatabase): ReadonlyMap<PersonId, number> {
  const rows = database.prepare('SELECT person, max(seen) AS seen FROM session GROUP BY person').all()
  return new Map(rows.map(({ person, seen }) => [String(person), Number(seen)]))
}

type Row = Readonly<Record<string, unknown>>

/**
 * Also over if the clock was set back by more than the life of a session: otherwise one would live until the clock has caught up. A
 * time before its last use counts as that.
 */
function isOver(row: Row, now: number): boolean {
  const seen = Number(row['seen'])
  return Math.max(now, seen) >= Number(row['until']) || seen - now >= SESSION_LIFE
}

function sessionOf(row: Row): Session {
  return {
    id: String(row['id']),
    person: String(row['person']),
    kind: row['kind'] === 'terminal' ? 'terminal' : 'browser',
    made: Number(row['made']),
    seen: Number(row['seen']),
    address: String(row['address']),
    agent: String(row['agent']),
  }
}

function idsOf(rows: readonly Row[]): readonly string[] {
  return rows.map(({ id }) => String(id))
}
