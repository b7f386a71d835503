import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContestId } from '../../contract/ids.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'
import { itemsIn } from './entry-records.ts'
import { renamed } from '../../histories/put-in-place.ts'

const prefix = '.deleted-'

/** The folder of a contest that is being deleted; no contest has such a name. */
export function deletedContest(data: string, contest: ContestId): string {
  return join(data, 'contests', `${prefix}${contest}`)
}

/** Ends the deletions of a process that was killed: of contests that the class still lists nothing is deleted. */
export async function finishDeletions(data: string, { contests }: Classroom): Promise<void> {
  for (const { name } of await itemsIn(join(data, 'contests'))) {
    if (!name.startsWith(prefix)) continue
    const [id, away] = [name.slice(prefix.length), join(data, 'contests', name)]
    const folder = join(data, 'contests', id)
    if (contests.some((each) => each.id === id) && !existsSync(folder)) await renamed(away, folder)
    else await rm(away, { recursive: true, force: true })
  }
}
