import { ExpectedError } from '../../contract/expected-error.ts'
import { networkOf } from '../../contract/networks.ts'
import type { PersonId } from '../../contract/people/people.ts'
import { randomCode } from './one-time-codes.ts'
import type { PeopleDatabase } from './people-database.ts'
import { hashOfSecret, newSecret, type Place } from './sessions.ts'

// Sign-in of a terminal (RFC 8628): it shows a code, which a person confirms in their browser, and gets a session of its own.

/** ms: 15 minutes. */
export const DEVICE_LIFE = 15 * 60_000
/** ms after the last question of its terminal, when a request ends: a terminal that has gone leaves its place to others. */
export const DEVICE_SILENCE = 2 * 60_000
/** Requests that wait at a time, in the class and from one network, behind which a class may be; more are refused. */
const WAITING_MAX = 2_000
const WAITING_OF_NETWORK = 200

/** A terminal that asks to be signed in. */
export interface DeviceRequest extends Place {
  readonly userCode: string
  /** ms since the epoch. */
  readonly made: number
}

/** Begins a request. `deviceCode`: the terminal's secret; `userCode`: for the person. Throws ExpectedError `too-many`. */
export function beginDevice(
  { database }: PeopleDatabase,
  { address, agent }: Place,
  now: number,
): { readonly deviceCode: string; readonly userCode: string; readonly until: number } {
  database.prepare('DELETE FROM device WHERE until <= ?1 OR made > ?1').run(now)
  const network = networkOf(address)
  const waiting = database.prepare('SELECT address FROM device WHERE person IS NULL').all()
  const ofNetwork = waiting.filter((row) => networkOf(String(row['address'])) === network).length
  if (waiting.length >= WAITING_MAX || ofNetwork >= WAITING_OF_NETWORK)
    throw new ExpectedError('usage', 'too-many', 'Too many terminals wait to be confirmed: try again in two minutes.')
  const deviceCode = newSecret()
  const userCode = randomCode()
  database
    .prepare('INSERT INTO device (hash, user_code, made, until, address, agent) VALUES (?, ?, ?, ?, ?, ?)')
    .run(hashOfSecret(deviceCode), userCode, now, now + DEVICE_SILENCE, address.slice(0, 100), agent.slice(0, 300))
  return { deviceCode, userCode, until: now + DEVICE_LIFE }
}

/** The request with a user's code that waits for its person; null: none. */
export function deviceRequest({ database }: PeopleDatabase, userCode: string, now: number): DeviceRequest | null {
  const row = database
    .prepare('SELECT * FROM device WHERE user_code = ?1 AND until > ?2 AND made <= ?2 AND person IS NULL')
    .get(userCode, now)
  if (row === undefined) return null
  return { userCode, made: Number(row['made']), address: String(row['address']), agent: String(row['agent']) }
}

/** Confirms a request as a person. False: none waits with this code. */
export function confirmDevice({ database }: PeopleDatabase, userCode: string, person: PersonId, now: number): boolean {
  return (
    database
      .prepare('UPDATE device SET person = ?2 WHERE user_code = ?1 AND until > ?3 AND made <= ?3 AND person IS NULL')
      .run(userCode, person, now).changes === 1
  )
}

/**
 * The person who has confirmed the request of a device's code, which is then used up; `waiting`: nobody yet; `unknown`: there is no
 * such request, or its time is over. Each question keeps a request for `DEVICE_SILENCE` more.
 */
export function takeDevice(
  { database }: PeopleDatabase,
  deviceCode: string,
  now: number,
): ({ readonly person: PersonId } & Place) | 'waiting' | 'unknown' {
  const hash = hashOfSecret(deviceCode)
  const row = database.prepare('SELECT * FROM device WHERE hash = ?1 AND until > ?2 AND made <= ?2').get(hash, now)
  if (row === undefined) return 'unknown'
  if (row['person'] === null) {
    const until = Math.min(now + DEVICE_SILENCE, Number(row['made']) + DEVICE_LIFE)
    database.prepare('UPDATE device SET until = ? WHERE hash = ?').run(until, hash)
    return 'waiting'
  }
  database.prepare('DELETE FROM device WHERE hash = ?').run(hash)
  return { person: String(row['person']), address: String(row['address']), agent: String(row['agent']) }
}

/** Drops what a person has confirmed and no terminal has taken. */
export function forgetDevices({ database }: PeopleDatabase, person: PersonId): void {
  database.prepare('DELETE FROM device WHERE person = ?').run(person)
}
