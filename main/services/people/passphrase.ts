import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { Accounts } from '../../administrator/people/accounts.ts'
import { forgetWishes } from '../../administrator/people/attempts.ts'

/** Sets, changes or, with null, removes the passphrase of the names of a class (`ClassFolder.setPassphrase`), and takes notes out of what is kept of former hand-ins. */
export async function setPassphrase(
  { people }: Pick<Accounts, 'people'>,
  home: Pick<ClassFolder, 'setPassphrase'>,
  present: string | null,
  next: string | null,
): Promise<void> {
  await home.setPassphrase(present, next)
  if (next !== null) forgetWishes(people)
}
