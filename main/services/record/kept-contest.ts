import { accessSync, constants, rmSync } from 'node:fs'
import { join } from 'node:path'
import { passingFolder } from '../../administrator/classroom/scratch.ts'
import { readKeys } from '../../histories/key-files.ts'
import { contestFolder } from '../machine/data-folder.ts'
import { existingClass, requireContest } from '../machine/existing-class.ts'
import type { RecordedContest } from './contest-record.ts'

/** A contest of a data folder for the command line. */
export interface KeptContest extends RecordedContest {
  /** Removes its databases, if they had to be kept elsewhere. */
  close(): void
}

/**
 * Finds a contest of a data folder, which may be open elsewhere and is only read, except for the databases beside the segments;
 * where those cannot be written, they are in a temporary folder. Throws ExpectedError 'usage' if there is no such folder or
 * contest.
 */
export async function keptContest(data: string, id: string): Promise<KeptContest> {
  await requireContest(data, id)
  const { contests } = await existingClass(data)
  const { description } = contests.find((each) => each.id === id)!
  const folder = contestFolder(data, id)
  const key = readKeys(join(data, 'keys')).publicKey
  const passing = isWritable(folder) ? null : passingFolder('mine')
  return {
    ...{ contest: id, game: description.game, folder, key, store: passing ?? folder },
    close() {
      if (passing !== null) rmSync(passing, { recursive: true, force: true })
    },
  }
}

/** False also if there is no such folder, as before the first match. */
function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
