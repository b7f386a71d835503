import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openClassFolder } from '../../administrator/classroom/classroom.ts'
import { readGradebook } from '../../administrator/classroom/gradebook-file.ts'
import { loadClass } from '../../administrator/classroom/recovered-class.ts'
import { passingFolder } from '../../administrator/classroom/scratch.ts'
import { whyDamaged } from '../../administrator/people/people-database.ts'
import { machineErrorOf } from '../../histories/machine-error.ts'
import { copyAll } from './back-up.ts'
import { whyChanged, type FileSums } from './backup-sums.ts'
import { countsOf } from './manifest.ts'
import { bytesOf, requireRoom } from './room.ts'

/**
 * Restores a backup to a scratch folder, compares each file with its checksum, and opens the class there. Returns why it cannot be used, as a sentence; null: it can. Rejects with MachineError if
 * the disk of the scratch folder has no room for it. `makeFolder`: makes that folder; `reserve`: see `requireRoom`.
 */
export async function whyUnusable(
  backup: string,
  makeFolder: () => Promise<string> = async () => passingFolder('restored'),
  reserve = 0,
): Promise<string | null> {
  const scratch = await makeFolder()
  try {
    if (!existsSync(join(backup, 'class.json'))) return `${backup} has no class.json.`
    await requireRoom(scratch, await bytesOf(backup), 'the test of a backup', reserve)
    const sums: FileSums = new Map()
    await copyAll(backup, scratch, sums)
    const changed = await whyChanged(backup, scratch, sums)
    if (changed !== null) return changed
    const { content } = await loadClass(scratch)
    const missing = content.contests.find(
      ({ id, state }) => state === 'ended' && !existsSync(join(scratch, 'contests', id)),
    )
    if (missing !== undefined) return `${backup} lacks the histories of the contest ${missing.id}.`
    const damage = whyDamaged(scratch)
    if (damage !== null) return `${backup}: ${damage}.`
    await readGradebook(scratch)
    // It may have another passphrase than the class has now.
    const home = await openClassFolder(scratch, () => null)
    const [before, after] = [countsOf(content), countsOf(home.content)]
    const notices = home.notices
    await home.close()
    if (JSON.stringify(before) !== JSON.stringify(after) || notices.length > 0)
      return `${backup} had to be mended when it was opened: ${notices.join(' ')}`
    return null
  } catch (error) {
    // Only the scratch folder is written: its disk is full, and nothing is known of the backup.
    const machine = machineErrorOf(error, scratch)
    if (machine?.code === 'disk-full') throw machine
    return `${backup} cannot be opened: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
