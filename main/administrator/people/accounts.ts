import type { ClassFolder } from '../classroom/classroom.ts'
import type { Json } from '../../contract/json.ts'
import { nameKey } from '../../contract/names.ts'
import type { Visitor } from '../../contract/people/caller.ts'
import type { Person, PersonId } from '../../contract/people/people.ts'
import { appendAudit, pruneAudit } from './audit.ts'
import { createDevices, forgetDevices, type Devices } from './devices.ts'
import { forgetCode } from './one-time-codes.ts'
import { createPasswordHasher, type PasswordHasher } from './passwords.ts'
import { closePeopleDatabase, openPeopleCopy, openPeopleDatabase, type PeopleDatabase } from './people-database.ts'
import { endSessions, isSessionLive, renewSession, sweepSessions, useSession } from './sessions.ts'

/** The accounts of an open class: who can sign in, and who has. */
export interface Accounts {
  readonly home: Pick<ClassFolder, 'content' | 'change'>
  readonly people: PeopleDatabase
  readonly devices: Devices
  readonly hasher: PasswordHasher
  /** ms since the epoch. */
  readonly now: () => number
  /** Called with the ids of sessions that have ended, in the same turn: their connections are cut. */
  readonly onEnded: Set<(sessions: readonly string[]) => void>
  /** Called after each line of the audit log: somebody signed in, asked to join, or was changed. */
  readonly onAudit: Set<() => void>
  /** Ends, from time to time, the sessions that are over; null: nothing does. */
  readonly sweep: NodeJS.Timeout | null
}

/** ms. */
const SWEEP_EVERY = 60_000

/** Opens the accounts of a class whose folder is open; of one to look at, a copy. Throws like `openPeopleDatabase`. */
export function openAccounts(home: ClassFolder, now: () => number = Date.now): Accounts {
  const people = home.isReadOnly ? openPeopleCopy(home.folder) : openPeopleDatabase(home.folder)
  const sweep = setInterval(() => {
    endThoseOver(accounts)
    pruneAudit(people, now())
  }, SWEEP_EVERY)
  sweep.unref()
  const accounts: Accounts = {
    home,
    people,
    devices: createDevices(),
    hasher: createPasswordHasher(),
    now,
    onEnded: new Set(),
    onAudit: new Set(),
    sweep,
  }
  return accounts
}

export function closeAccounts({ people, hasher, onEnded, onAudit, sweep }: Accounts): void {
  hasher.close()
  if (sweep !== null) clearInterval(sweep)
  onEnded.clear()
  onAudit.clear()
  closePeopleDatabase(people)
}

/** True for a person who may sign in. */
export function isMember({ removed, asking }: Person): boolean {
  return removed === undefined && asking === undefined
}

/** True if there is anybody who may sign in. */
export function hasMembers({ home }: Accounts): boolean {
  return home.content.people.some(isMember)
}

/** The member with this id; null: none. */
export function memberOf({ home }: Accounts, id: PersonId): Person | null {
  return home.content.people.find((person) => person.id === id && isMember(person)) ?? null
}

/**
 * The member whom somebody means who signs in: by an e-mail address or an identifier, or by a name that nobody else has. null: none,
 * or several.
 */
export function memberCalled({ home }: Accounts, typed: string): Person | null {
  const key = nameKey(typed.trim())
  const members = home.content.people.filter(isMember)
  const exact = members.filter(({ email = '', ids }) =>
    [email, ids.school ?? '', ids.login ?? ''].some((each) => each !== '' && nameKey(each) === key),
  )
  const meant = exact.length > 0 ? exact : members.filter(({ name }) => nameKey(name) === key)
  return meant.length === 1 ? meant[0]! : null
}

/** The visitor whose session this secret is of, which counts as a use; null: none. */
export function visitorOfSecret(accounts: Accounts, secret: string): (Visitor & { readonly kind: 'session' }) | null {
  const session = useSession(accounts.people, secret, accounts.now())
  if (session === 'over') endThoseOver(accounts)
  if (session === null || session === 'over' || memberOf(accounts, session.person) === null) return null
  return { kind: 'session', person: session.person, session: session.id, isTerminal: session.kind === 'terminal' }
}

/** Notes that a session is in use. False: it is over. */
export function keepSession(accounts: Accounts, id: string): boolean {
  const isKept = renewSession(accounts.people, id, accounts.now())
  if (!isKept) endThoseOver(accounts)
  return isKept
}

/** Ends the sessions that are over: one that was refused must not be accepted when the clock is set back. */
function endThoseOver(accounts: Accounts): void {
  announceEnd(accounts, sweepSessions(accounts.people, accounts.now()))
}

/** True if a session is not over; this is not a use of it. */
export function isLive({ people, now }: Accounts, id: string): boolean {
  return isSessionLive(people, id, now())
}

/** Ends sessions of a person (`endSessions`), and their connections. Returns how many. */
export function endSessionsOf(
  accounts: Accounts,
  person: PersonId,
  which: { readonly except?: string; readonly only?: string } = {},
): number {
  const ended = endSessions(accounts.people, person, which)
  announceEnd(accounts, ended)
  return ended.length
}

/** Ends the sessions of everybody. */
export function endAllSessions(accounts: Accounts): void {
  const rows = accounts.people.database.prepare('DELETE FROM session RETURNING id').all()
  announceEnd(
    accounts,
    rows.map(({ id }) => String(id)),
  )
}

export function announceEnd({ onEnded }: Accounts, sessions: readonly string[]): void {
  if (sessions.length > 0) for (const listener of onEnded) listener(sessions)
}

/**
 * Ends the access that a person was given: sessions, code, terminals that they confirmed and that have not come for their session.
 * Their password stays, which they alone know.
 */
export function endAccess(accounts: Accounts, person: PersonId): void {
  forgetCode(accounts.people, person)
  forgetDevices(accounts.devices, person)
  endSessionsOf(accounts, person)
}

/** Ends everything by which a person can sign in. */
export function closeAccount(accounts: Accounts, person: PersonId): void {
  accounts.people.database.prepare('DELETE FROM account WHERE person = ?').run(person)
  endAccess(accounts, person)
}

/** The hash of a person's password; null: they have none. */
export function passwordHash({ people }: Accounts, person: PersonId): string | null {
  const row = people.database.prepare('SELECT password FROM account WHERE person = ?').get(person)
  return row === undefined ? null : String(row['password'])
}

/** Keeps a new password. Terminals that waited under the former one get no session. */
export function keepPassword({ people, devices, now }: Accounts, person: PersonId, hash: string): void {
  people.database
    .prepare('INSERT OR REPLACE INTO account (person, password, since) VALUES (?, ?, ?)')
    .run(person, hash, now())
  forgetDevices(devices, person)
}

/** The people who have a password. */
export function withPassword({ people }: Accounts): ReadonlySet<PersonId> {
  return new Set(
    people.database
      .prepare('SELECT person FROM account')
      .all()
      .map(({ person }) => String(person)),
  )
}

/** Appends to the audit log. `person`: who did it; null: the person at this machine. */
export function audit({ people, now, onAudit }: Accounts, person: PersonId | null, did: string, what: Json): void {
  appendAudit(people, { at: now(), person, did, what })
  for (const listener of onAudit) listener()
}
