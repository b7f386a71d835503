import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { Accounts } from '../../administrator/people/accounts.ts'
import { forgetWishes } from '../../administrator/people/attempts.ts'
import { guessed } from '../../administrator/people/unlock-names.ts'
import { namesState } from '../../contract/people/locked-names.ts'
import type { PersonId } from '../../contract/people/people.ts'

/** The passphrase of the names of a class as it is, null: none, and as it shall be, null: none. */
interface PassphraseChange {
  readonly present: string | null
  readonly next: string | null
}

/**
 * Sets, changes or, with null, removes the passphrase of the names of a class (`ClassFolder.setPassphrase`), and takes notes out of what is kept of
 * former hand-ins. The present one may be a guess: it waits like those of `unlockNames`.
 */
export async function setPassphrase(
  accounts: Accounts,
  home: Pick<ClassFolder, 'content' | 'setPassphrase'>,
  { present, next }: PassphraseChange,
  by: PersonId | null,
): Promise<void> {
  const set = (): Promise<void> => home.setPassphrase(present, next)
  await (namesState(home.content) === 'none' ? set() : guessed(accounts, by, set))
  if (next !== null) forgetWishes(accounts.people)
}
