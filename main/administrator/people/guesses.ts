import { networkOf } from '../../contract/networks.ts'
import { inTransaction, type PeopleDatabase } from './people-database.ts'

// Failed sign-ins. Each is noted before its password is compared, so that guesses made at once count too; a success takes those of its
// account away. Nobody is locked out for good, and nobody by the failures of others alone.

/** Somebody who tries to sign in. */
export interface Attempt {
  /** The id of the person who is meant, under any of their names, or a hash of the name that was typed if nobody has it. null: no account. */
  readonly account: string | null
  readonly address: string
}

/** Failures of an account from one network that cost nothing. */
const FREE = 5
/** The same from all networks together: many more, as others can make them without being in the class. */
const FREE_EVERYWHERE = 50
/** The longest that an account waits after a failure. ms: 15 minutes. */
const WAIT_MAX = 15 * 60_000
/** Failures of an account count for this long. ms: a day. */
const ACCOUNT_MEMORY = 24 * 60 * 60_000
/** The failures of a network in an hour after which it is slowed: a class behind one address makes some too. */
const NETWORK_MAX = 300
/** The time between two failures of a network that is slowed. ms. */
const NETWORK_GAP = 2_000
const HOUR = 60 * 60_000
/** Failures of an account that are kept; more cannot make the wait longer. */
const KEPT = 128
/** A network from which a person has signed in is theirs for this long. ms: 60 days. */
const KNOWN_FOR = 60 * 24 * HOUR

/** The keys under which an attempt is counted. */
function keysOf({ account, address }: Attempt): readonly string[] {
  const network = networkOf(address)
  return [`network:${network}`, ...(account === null ? [] : [`account:${account} ${network}`, `everywhere:${account}`])]
}

/** Not a failure: the last success of an account from a network. */
const knownKey = ({ account, address }: Attempt): string => `known:${account} ${networkOf(address)}`

/** ms until this may be tried again; 0: now, and the attempt is noted as a failure. */
export function noteAttempt(people: PeopleDatabase, attempt: Attempt, now: number): number {
  return inTransaction(people, () => noted(people, attempt, now))
}

function noted(people: PeopleDatabase, attempt: Attempt, now: number): number {
  const { database } = people
  // A clock that was set back must neither lock anybody out until it has caught up, nor make guesses free.
  database.prepare('UPDATE guess SET at = ?1 WHERE at > ?1').run(now)
  database
    .prepare("DELETE FROM guess WHERE at <= ?1 AND (at <= ?2 OR key NOT LIKE 'known:%')")
    .run(now - ACCOUNT_MEMORY, now - KNOWN_FOR)
  const [network, here, everywhere] = keysOf(attempt) as [string, string?, string?]
  const isKnown = database.prepare('SELECT 1 FROM guess WHERE key = ?').get(knownKey(attempt)) !== undefined
  const waits = [
    here === undefined ? 0 : accountWait(people, here, FREE, now),
    // The failures of others do not concern a person at a network of theirs.
    everywhere === undefined || isKnown ? 0 : accountWait(people, everywhere, FREE_EVERYWHERE, now),
    isKnown ? 0 : networkWait(people, network, now),
  ]
  const wait = Math.max(...waits)
  if (wait > 0) return wait
  for (const key of keysOf(attempt)) {
    database.prepare('INSERT INTO guess (key, at) VALUES (?, ?)').run(key, now)
    // A network's are at most a few thousand, by its gap.
    if (key !== network) keepNewest(people, key, KEPT)
  }
  return 0
}

/** Takes back that an attempt was noted, as if it had not been made: nobody compared its password. */
export function takeBackAttempt(people: PeopleDatabase, attempt: Attempt): void {
  inTransaction(people, () => {
    for (const key of keysOf(attempt)) dropNewest(people, key)
  })
}

/** The same, and forgets the failures of its account: it succeeded. From then on the account is known at this network. */
export function forgetFailures(people: PeopleDatabase, attempt: Attempt, now: number): void {
  const { database } = people
  inTransaction(people, () => {
    const [network, ...ofAccount] = keysOf(attempt) as [string, ...string[]]
    dropNewest(people, network)
    for (const key of ofAccount) database.prepare('DELETE FROM guess WHERE key = ?').run(key)
    if (attempt.account === null) return
    database.prepare('DELETE FROM guess WHERE key = ?').run(knownKey(attempt))
    database.prepare('INSERT INTO guess (key, at) VALUES (?, ?)').run(knownKey(attempt), now)
  })
}

/**
 * The number of failures that a noted attempt is at least part of: those of its account from its network, or, without an account that
 * somebody has, those of its network in an hour.
 */
export function failuresSoFar({ database }: PeopleDatabase, attempt: Attempt, isMember: boolean, now: number): number {
  const [network, here] = keysOf(attempt)
  const key = isMember && here !== undefined ? here : network!
  const row = database.prepare('SELECT count(*) AS n FROM guess WHERE key = ? AND at > ?').get(key, now - HOUR)
  return Number(row?.['n'])
}

/** Counts something that a network may do a number of times an hour. False: it has, and this one is not counted. */
export function countOfNetwork(
  people: PeopleDatabase,
  { what, most }: { readonly what: string; readonly most: number },
  address: string,
  now: number,
): boolean {
  const key = `${what}:${networkOf(address)}`
  const row = people.database
    .prepare('SELECT count(*) AS n FROM guess WHERE key = ? AND at > ? AND at <= ?')
    .get(key, now - HOUR, now)
  if (Number(row?.['n']) >= most) return false
  people.database.prepare('INSERT INTO guess (key, at) VALUES (?, ?)').run(key, now)
  return true
}

function keepNewest({ database }: PeopleDatabase, key: string, most: number): void {
  database
    .prepare(
      'DELETE FROM guess WHERE rowid IN (SELECT rowid FROM guess WHERE key = ? ORDER BY at DESC LIMIT -1 OFFSET ?)',
    )
    .run(key, most)
}

function dropNewest({ database }: PeopleDatabase, key: string): void {
  database
    .prepare('DELETE FROM guess WHERE rowid IN (SELECT rowid FROM guess WHERE key = ? ORDER BY at DESC LIMIT 1)')
    .run(key)
}

function accountWait({ database }: PeopleDatabase, key: string, free: number, now: number): number {
  const row = database.prepare('SELECT count(*) AS failures, max(at) AS last FROM guess WHERE key = ?').get(key)
  const failures = Number(row?.['failures'])
  if (failures < free) return 0
  const wait = Math.min(WAIT_MAX, 2 ** (failures - free + 1) * 1_000)
  return Math.max(0, Number(row?.['last']) + wait - now)
}

function networkWait({ database }: PeopleDatabase, key: string, now: number): number {
  const row = database
    .prepare('SELECT count(*) AS failures, max(at) AS last FROM guess WHERE key = ? AND at > ?')
    .get(key, now - HOUR)
  return Number(row?.['failures']) < NETWORK_MAX ? 0 : Math.max(0, Number(row?.['last']) + NETWORK_GAP - now)
}
