import { statSync } from 'node:fs'
import { readClass } from '../../administrator/classroom/classroom.ts'
import type { Classroom } from '../../contract/classroom.ts'
import { didYouMean } from '../../contract/near-miss.ts'
import { ExpectedError } from '../../contract/expected-error.ts'

/** Contests that a sentence names, the newest; the others are counted. */
const NAMED_MAX = 20

/** What a data folder holds, for whoever makes none. Changes nothing. Throws ExpectedError 'usage' where there is no such folder. */
export async function existingClass(data: string): Promise<Classroom> {
  requireDataFolder(data)
  return readClass(data)
}

/** Throws ExpectedError 'usage' where there is no such folder. */
export function requireDataFolder(data: string): void {
  const there = statSync(data, { throwIfNoEntry: false })
  if (there === undefined)
    throw new ExpectedError(
      'usage',
      `There is no data folder ${data}: "contest run" and "serve" make one, --data names another.`,
    )
  if (!there.isDirectory()) throw new ExpectedError('usage', `The data folder ${data} is no folder.`)
}

/** Throws ExpectedError 'usage', which names those that there are, where a data folder has no such contest. */
export async function requireContest(data: string, contest: string): Promise<void> {
  const ids = (await existingClass(data)).contests.map(({ id }) => id)
  if (ids.includes(contest)) return
  const shown = ids.slice(-NAMED_MAX).join(', ')
  const more = ids.length > NAMED_MAX ? ` and ${ids.length - NAMED_MAX} older ones` : ''
  const known = ids.length === 0 ? 'it has none' : `it has ${shown}${more}`
  throw new ExpectedError('usage', `There is no contest "${contest}" in ${data}; ${known}.${didYouMean(contest, ids)}`)
}
