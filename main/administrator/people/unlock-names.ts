import { ExpectedError } from '../../contract/expected-error.ts'
import { namesState } from '../../contract/people/locked-names.ts'
import type { PersonId } from '../../contract/people/people.ts'
import type { ClassFolder } from '../classroom/classroom.ts'
import { audit, type Accounts } from './accounts.ts'
import { forgetFailures, noteAttempt, takeBackAttempt } from './guesses.ts'
import { dropAsking, halfJoined } from './joining.ts'

/** Guesses of all educators together. */
const attempt = { account: 'passphrase', address: 'passphrase' } as const

/**
 * Unlocks the names of a class (`ClassFolder.unlock`), and removes those whom `dropHalfJoined` had to keep. Each try is in the audit log. Rejects
 * with ExpectedError `too-many` after too many failures, and like `ClassFolder.unlock`.
 */
export async function unlockNames(
  accounts: Accounts,
  home: Pick<ClassFolder, 'isReadOnly' | 'unlock'>,
  passphrase: string,
  by: PersonId | null,
): Promise<void> {
  // Nobody joins a locked class; once it is unlocked, somebody may be about to get their password.
  const isLocked = namesState(accounts.home.content) === 'locked'
  const half = isLocked && !home.isReadOnly ? halfJoined(accounts) : []
  await guessed(accounts, by, () => home.unlock(passphrase))
  audit(accounts, by, 'names.unlock', {})
  await dropAsking(accounts, half)
}

/**
 * Does what needs the passphrase, which may be wrong: a guess is counted before it is compared. Rejects with ExpectedError `too-many` after too many
 * wrong ones, and like `work`; a wrong one is in the audit log.
 */
export async function guessed(accounts: Accounts, by: PersonId | null, work: () => Promise<void>): Promise<void> {
  const { people, now } = accounts
  const wait = noteAttempt(people, attempt, now())
  if (wait > 0) {
    const seconds = Math.ceil(wait / 1_000)
    throw new ExpectedError('usage', 'too-many', `Too many wrong passphrases: try again in ${seconds} s.`)
  }
  try {
    await work()
  } catch (error) {
    if (isWrong(error)) audit(accounts, by, 'names.unlock.refused', {})
    else takeBackAttempt(people, attempt)
    throw error
  }
  forgetFailures(people, attempt, now())
}

function isWrong(error: unknown): boolean {
  return error instanceof ExpectedError && error.code === 'passphrase-wrong'
}
