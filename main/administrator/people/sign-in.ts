import { createHmac, randomBytes } from 'node:crypto'
import { requireNames } from '../classroom/name-lock.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { nameKey } from '../../contract/names.ts'
import type { PersonId } from '../../contract/people/people.ts'
import type { SignInRequest } from '../../contract/people/sign-in.ts'
import {
  announceEnd,
  audit,
  endSessionsOf,
  keepPassword,
  memberCalled,
  memberOf,
  passwordHash,
  type Accounts,
} from './accounts.ts'
import { countAudit } from './audit.ts'
import { forgetDevices, takeDevice } from './devices.ts'
import { failuresSoFar, forgetFailures, noteAttempt, takeBackAttempt, type Attempt } from './guesses.ts'
import { codeHash, redeemCode, typedCode } from './one-time-codes.ts'
import { checkPassword } from './passwords.ts'
import { inTransaction } from './people-database.ts'
import { beginSession, endSurplusSessions, useSession, type Place, type Session } from './sessions.ts'

/** The secret of a new session, and whose it is. */
export interface SignedIn {
  readonly secret: string
  readonly person: PersonId
}

/**
 * Signs somebody in. `former`: secrets of sessions that the request had, which end. A code is used up when it is exchanged for a
 * password. Rejects with ExpectedError: `sign-in-refused`, in the same words and after the same work whether or not the person
 * exists; `too-many` after too many failures; `names-locked` while nobody has a name; `password-needed` for a valid code without a new password; `password-invalid`.
 */
export async function signIn(
  accounts: Accounts,
  request: SignInRequest,
  place: Place,
  former: readonly string[],
): Promise<SignedIn> {
  requireNames(accounts.home.content)
  const { people, hasher, now } = accounts
  const newPassword = 'code' in request ? request.newPassword : undefined
  // Before anything that depends on the person.
  if (newPassword !== undefined) checkPassword(newPassword)
  const member = memberCalled(accounts, request.name)
  const attempt: Attempt = { account: member?.id ?? keyOfUnknown(request.name), address: place.address }
  const stored = member === null ? null : storedFor(accounts, request, member.id)
  const secret = 'code' in request ? typedCode(request.code) : request.password
  const matches = await compared(accounts, attempt, secret, stored)
  // They may have left, or been given a new code, while it was compared.
  const same = member !== null && memberOf(accounts, member.id) !== null
  if (!matches || !same || storedFor(accounts, request, member.id) !== stored) {
    auditFailure(accounts, member?.id ?? null, attempt, 'code' in request ? 'code' : 'password')
    throw refused()
  }
  forgetFailures(people, attempt, now())

  if ('code' in request) {
    if (newPassword === undefined)
      throw new ExpectedError('usage', 'password-needed', 'The code is right: choose a password for the next time.')
    const hash = await hasher.hash(newPassword)
    if (memberOf(accounts, member.id) === null) throw refused()
    inTransaction(people, () => {
      if (!redeemCode(people, member.id, stored!)) throw refused()
      keepPassword(accounts, member.id, hash)
    })
    endSessionsOf(accounts, member.id)
  }
  for (const each of former) signOut(accounts, each)
  const begun = begin(accounts, member.id, 'browser', place)
  audit(accounts, member.id, 'sign-in', { address: place.address, by: 'code' in request ? 'code' : 'password' })
  return { secret: begun.secret, person: member.id }
}

/** Ends with the process: nobody finds out later which name was typed. */
const unknownKey = randomBytes(32)

/** The account of a name that nobody has: it may be that of a student, mistyped, or a password in the wrong field. */
function keyOfUnknown(name: string): string {
  return `name ${createHmac('sha256', unknownKey).update(nameKey(name.trim())).digest('hex')}`
}

/** Compares a secret, after noting the attempt. If it cannot be compared at this moment, the attempt does not count. */
async function compared(
  { people, hasher, now }: Accounts,
  attempt: Attempt,
  secret: string,
  stored: string | null,
): Promise<boolean> {
  const wait = noteAttempt(people, attempt, now())
  if (wait > 0) throw tooMany(wait)
  try {
    return await hasher.matches(secret, stored)
  } catch (error) {
    // The database of a class that is being closed takes nothing back.
    if (error instanceof ExpectedError && error.code === 'too-many') takeBackAttempt(people, attempt)
    throw error
  }
}

/** Failures of an account, or of a network, of which the audit log has a line. */
const LOGGED_FAILURES: readonly number[] = [1, 5, 25, 100, 300, 1_000, 1_800]
/** Lines about failed sign-ins in a day: the log cannot be filled from outside. */
const LOGGED_A_DAY = 1_000
const DAY = 24 * 60 * 60_000

/**
 * Notes a failed sign-in in the audit log: the first one of an account or a network in an hour, and then ever fewer. A name that nobody
 * has is not written down: it may be a password in the wrong field.
 */
function auditFailure(accounts: Accounts, person: PersonId | null, attempt: Attempt, by: string): void {
  const { people, now } = accounts
  const failures = failuresSoFar(people, attempt, person !== null, now())
  if (!LOGGED_FAILURES.includes(failures)) return
  if (countAudit(people, 'sign-in.refused', now() - DAY) >= LOGGED_A_DAY) return
  audit(accounts, person, 'sign-in.refused', { address: attempt.address, by, failures, isKnown: person !== null })
}

function storedFor(accounts: Accounts, request: SignInRequest, person: PersonId): string | null {
  return 'code' in request
    ? codeHash(accounts.people, person, new Date(accounts.now()))
    : passwordHash(accounts, person)
}

function begin(accounts: Accounts, person: PersonId, kind: Session['kind'], place: Place): { readonly secret: string } {
  const begun = beginSession(accounts.people, { person, kind, ...place }, accounts.now())
  announceEnd(accounts, endSurplusSessions(accounts.people, person))
  return begun
}

/** Ends the session of a secret, if it is one. */
export function signOut(accounts: Accounts, secret: string): void {
  const session = useSession(accounts.people, secret, accounts.now())
  if (session === null || session === 'over') return
  endSessionsOf(accounts, session.person, { only: session.id })
  audit(accounts, session.person, 'sign-out', {})
}

/** Ends a person's sessions but one, and lets no terminal have another that has not come for it yet. Returns how many ended. */
export function endOtherSessions(
  accounts: Accounts,
  { person, session }: { readonly person: PersonId; readonly session: string },
): number {
  forgetDevices(accounts.devices, person)
  const ended = endSessionsOf(accounts, person, { except: session })
  if (ended > 0) audit(accounts, person, 'me.endOthers', { ended })
  return ended
}

/** Ends one other session of a person. Throws ExpectedError `session-unknown` if they have none with this id. */
export function endOneSession(
  accounts: Accounts,
  { person, session }: { readonly person: PersonId; readonly session: string },
  id: string,
): void {
  const ended = id === session ? 0 : endSessionsOf(accounts, person, { only: id })
  if (ended === 0)
    throw new ExpectedError('usage', 'session-unknown', 'You have no other session like that: it may be over already.')
  audit(accounts, person, 'me.endSession', { ended })
}

/**
 * Replaces a person's password; their other sessions end. Rejects with ExpectedError like `signIn`: guesses of the former one count.
 */
export async function changePassword(
  accounts: Accounts,
  { person, session }: { readonly person: PersonId; readonly session: string },
  passwords: { readonly password: string; readonly newPassword: string },
): Promise<void> {
  const { people, hasher, now } = accounts
  checkPassword(passwords.newPassword)
  // Guesses of one person, who has signed in: no network shares them.
  const attempt: Attempt = { account: `password of ${person}`, address: `password of ${person}` }
  const stored = passwordHash(accounts, person)
  if (!(await compared(accounts, attempt, passwords.password, stored))) {
    auditFailure(accounts, person, attempt, 'present password')
    throw new ExpectedError('usage', 'sign-in-refused', 'That is not your present password.')
  }
  forgetFailures(people, attempt, now())
  const hash = await hasher.hash(passwords.newPassword)
  if (memberOf(accounts, person) === null || passwordHash(accounts, person) !== stored) throw refused()
  keepPassword(accounts, person, hash)
  endSessionsOf(accounts, person, { except: session })
  audit(accounts, person, 'me.password', {})
}

/**
 * The session of a terminal whose code a person has confirmed; null: nobody yet. `place`: the terminal's. Throws ExpectedError
 * `device-unknown` if the request is unknown, or its time is over.
 */
export function signInDevice(accounts: Accounts, deviceCode: string, place: Place): SignedIn | null {
  const taken = takeDevice(accounts.devices, deviceCode, place, accounts.now())
  if (taken === 'waiting') return null
  if (taken === 'unknown' || memberOf(accounts, taken.person) === null)
    throw new ExpectedError(
      'usage',
      'device-unknown',
      'No terminal waits with this code: it was used, or its time is over.',
    )
  const { secret } = begin(accounts, taken.person, 'terminal', place)
  audit(accounts, taken.person, 'sign-in', { address: place.address, by: 'device' })
  return { secret, person: taken.person }
}

function refused(): ExpectedError {
  return new ExpectedError(
    'usage',
    'sign-in-refused',
    'Name and password or code do not match. If somebody else in the class has your name, use your e-mail address or student ' +
      'number; a code works once, for 14 days; somebody who asked to join has to be admitted first.',
  )
}

function tooMany(wait: number): ExpectedError {
  const seconds = Math.ceil(wait / 1_000)
  const time = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
  return new ExpectedError('usage', 'too-many', `Too many failed sign-ins: try again in ${time}.`)
}
