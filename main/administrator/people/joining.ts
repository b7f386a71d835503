import { randomBytes, timingSafeEqual } from 'node:crypto'
import { ExpectedError } from '../../contract/expected-error.ts'
import { namesState } from '../../contract/people/locked-names.ts'
import { PEOPLE_MAX, type PersonId } from '../../contract/people/people.ts'
import type { JoinRequest } from '../../contract/people/sign-in.ts'
import { audit, keepPassword, withPassword, type Accounts } from './accounts.ts'
import { countOfNetwork, noteAttempt, takeBackAttempt } from './guesses.ts'
import { CODE_LIFE, randomCode, typedCode } from './one-time-codes.ts'
import { checkPassword } from './passwords.ts'
import { hashOfSecret, type Place } from './sessions.ts'

// Self-registration: with the class's code people ask to join, and the educator admits them.

/** People who wait to be admitted, at most. */
const ASKING_MAX = 500
/** People of one network who ask in an hour, at most: all of a large class. */
const joins = { what: 'join', most: 200 } as const

/** The code with which people can ask to join; null: they cannot. */
export function classCode({ people, now }: Accounts): { readonly code: string; readonly until: Date } | null {
  const row = people.database.prepare('SELECT code, until FROM class_code WHERE until > ?').get(now())
  return row === undefined ? null : { code: String(row['code']), until: new Date(Number(row['until'])) }
}

/** Makes a new code, or ends that which there is. */
export function changeClassCode({ people, now }: Accounts, open: boolean): void {
  people.database.exec('DELETE FROM class_code')
  if (open)
    people.database.prepare('INSERT INTO class_code (code, until) VALUES (?, ?)').run(randomCode(), now() + CODE_LIFE)
}

/** A new random id, which joins those that are taken. */
export function newPersonId(taken: Set<string>): PersonId {
  let id: string
  do id = randomBytes(8).toString('hex')
  while (taken.has(id))
  taken.add(id)
  return id
}

/**
 * Adds somebody who asks to be admitted, with the password that they will have. Nobody with the same name notices. Rejects with
 * ExpectedError `join-refused` for a wrong code, `too-many`, `password-invalid`, `limit-reached`.
 */
export async function join(accounts: Accounts, request: JoinRequest, { address }: Place): Promise<void> {
  const { home, people, hasher, now } = accounts
  checkPassword(request.password)
  const attempt = { account: null, address }
  if (noteAttempt(people, attempt, now()) > 0)
    throw new ExpectedError('usage', 'too-many', 'Too many failed attempts from this address: try again shortly.')
  const open = classCode(accounts)
  const isRight = timingSafeEqual(hashOfSecret(typedCode(request.classCode)), hashOfSecret(open?.code ?? ''))
  if (open === null || !isRight)
    throw new ExpectedError('usage', 'join-refused', 'This is not the code of the class: ask your teacher for it.')
  takeBackAttempt(people, attempt)
  if (!countOfNetwork(people, joins, address, now()))
    throw new ExpectedError('usage', 'too-many', 'Too many people of this address have asked: try again in an hour.')
  const password = await hasher.hash(request.password)
  let id: PersonId = ''
  await home.change((content) => {
    const asking = content.people.filter((person) => person.asking !== undefined && person.removed === undefined)
    if (asking.length >= ASKING_MAX || content.people.length >= PEOPLE_MAX)
      throw new ExpectedError('usage', 'limit-reached', 'Too many people wait to be admitted: ask your teacher.')
    id = newPersonId(new Set(content.people.map((person) => person.id)))
    const added = new Date(now()).toISOString()
    content.people.push({ id, name: request.name, ids: {}, role: 'student', added, asking: true })
  })
  keepPassword(accounts, id, password)
  audit(accounts, id, 'join', { address })
}

/**
 * Removes those whose asking ended with the process, between their name and their password: they had no answer, and ask again. Call it
 * when a class is opened. A locked class keeps them until `unlockNames`.
 */
export async function dropHalfJoined(accounts: Accounts): Promise<void> {
  if (namesState(accounts.home.content) !== 'locked') await dropAsking(accounts, halfJoined(accounts))
}

/** Those who ask to join and have no password. */
export function halfJoined(accounts: Accounts): readonly PersonId[] {
  const complete = withPassword(accounts)
  return accounts.home.content.people.flatMap(({ id, asking }) =>
    asking === undefined || complete.has(id) ? [] : [id],
  )
}

/** Removes people who ask to join. */
export async function dropAsking({ home }: Accounts, half: readonly PersonId[]): Promise<void> {
  if (half.length === 0) return
  await home.change((content) => {
    content.people = content.people.filter(({ id }) => !half.includes(id))
  })
}
