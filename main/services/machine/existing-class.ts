import { statSync } from 'node:fs'
import { readClass } from '../../administrator/classroom/classroom.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'
import { didYouMean } from '../../contract/near-miss.ts'
import { ExpectedError } from '../../contract/expected-error.ts'

/** The maximum number of contests that an error names, the newest; it counts the others. */
const NAMED_MAX = 20

/**
 * Reads the class of an existing data folder without creating one. Throws ExpectedError 'usage' if there is no such
 * folder.
 */
export async function existingClass(data: string): Promise<Classroom> {
  requireDataFolder(data)
  return readClass(data)
}

/** Throws ExpectedError 'usage' if there is no such folder. */
export function requireDataFolder(data: string): void {
  const there = statSync(data, { throwIfNoEntry: false })
  if (there === undefined)
    throw new ExpectedError(
      'usage',
      'data-folder-unknown',
      `There is no data folder ${data}: "contest run" and "serve" create one, --data chooses another.`,
    )
  if (!there.isDirectory())
    throw new ExpectedError('usage', 'data-folder-invalid', `The data folder ${data} is not a folder.`)
}

/** Throws ExpectedError 'usage', which lists the existing contests, if a data folder does not contain this one. */
export async function requireContest(data: string, contest: string): Promise<void> {
  const ids = (await existingClass(data)).contests.map(({ id }) => id)
  if (ids.includes(contest)) return
  const shown = ids.slice(-NAMED_MAX).join(', ')
  const more = ids.length > NAMED_MAX ? ` and ${ids.length - NAMED_MAX} older ones` : ''
  const known = ids.length === 0 ? 'it has none' : `it has ${shown}${more}`
  throw new ExpectedError(
    'usage',
    'contest-unknown',
    `There is no contest "${contest}" in ${data}; ${known}.${didYouMean(contest, ids)}`,
  )
}
