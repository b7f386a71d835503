import { isIPv4, isIPv6 } from 'node:net'
import type { PeopleDatabase } from './people-database.ts'

// Failed sign-ins. Each is noted before its password is compared, so that guesses made at once count too, and a success takes the
// account's away. Nobody is locked out for good.

/** Failures of an account that cost nothing. */
const FREE = 5
/** The longest that an account waits after a failure. ms: 15 minutes. */
const WAIT_MAX = 15 * 60_000
/** Failures of an account count for this long. ms: a day. */
const ACCOUNT_MEMORY = 24 * 60 * 60_000
/** The failures of an address in an hour: a class behind one address makes some too. */
const ADDRESS_MAX = 300
const HOUR = 60 * 60_000
/** Failures of an account that are kept; more cannot make the wait longer. */
const KEPT = 64

/**
 * ms until somebody at this address may try this account again; 0: now, and the attempt is noted as a failure. `account`: the name
 * that was typed, whether or not anybody has it.
 */
export function noteAttempt(people: PeopleDatabase, account: string, address: string, now: number): number {
  const { database } = people
  database.exec('BEGIN IMMEDIATE')
  try {
    return noted(people, { account: `account:${account}`, address: `address:${networkOf(address)}` }, now)
  } finally {
    database.exec('COMMIT')
  }
}

function noted(
  people: PeopleDatabase,
  keys: { readonly account: string; readonly address: string },
  now: number,
): number {
  const { database } = people
  // A clock that was set back must neither lock anybody out until it has caught up, nor make guesses free.
  database.prepare('UPDATE guess SET at = ?1 WHERE at > ?1').run(now)
  database.prepare('DELETE FROM guess WHERE at <= ?').run(now - ACCOUNT_MEMORY)
  const wait = Math.max(accountWait(people, keys.account, now), addressWait(people, keys.address, now))
  if (wait > 0) return wait
  const insert = database.prepare('INSERT INTO guess (key, at) VALUES (?, ?)')
  insert.run(keys.account, now)
  insert.run(keys.address, now)
  database
    .prepare(
      'DELETE FROM guess WHERE rowid IN (SELECT rowid FROM guess WHERE key = ? ORDER BY at DESC LIMIT -1 OFFSET ?)',
    )
    .run(keys.account, KEPT)
  return 0
}

/** Takes back that an attempt was noted, and forgets the failures of its account: it succeeded. */
export function forgetFailures({ database }: PeopleDatabase, account: string, address: string): void {
  database.prepare('DELETE FROM guess WHERE key = ?').run(`account:${account}`)
  database
    .prepare('DELETE FROM guess WHERE rowid IN (SELECT rowid FROM guess WHERE key = ? ORDER BY at DESC LIMIT 1)')
    .run(`address:${networkOf(address)}`)
}

function accountWait({ database }: PeopleDatabase, key: string, now: number): number {
  const row = database.prepare('SELECT count(*) AS failures, max(at) AS last FROM guess WHERE key = ?').get(key)
  const failures = Number(row?.['failures'])
  if (failures < FREE) return 0
  const wait = Math.min(WAIT_MAX, 2 ** (failures - FREE + 1) * 1_000)
  return Math.max(0, Number(row?.['last']) + wait - now)
}

function addressWait({ database }: PeopleDatabase, key: string, now: number): number {
  const row = database
    .prepare('SELECT at FROM guess WHERE key = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET ?')
    .get(key, now - HOUR, ADDRESS_MAX - 1)
  return row === undefined ? 0 : Number(row['at']) + HOUR - now
}

/** The network of an address: the owner of one address of IPv6 has all that begin with its first half. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(.+)$/i.exec(address)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  if (!isIPv6(address)) return address
  const [plain = ''] = address.split('%', 1)
  const [head = '', tail] = plain.split('::', 2)
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
