import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClassFolder } from '../../administrator/classroom/classroom.ts'
import { loadClass } from '../../administrator/classroom/recovered-class.ts'
import { whyDamaged } from '../../administrator/people/people-database.ts'
import { copyAll } from './back-up.ts'
import { countsOf } from './manifest.ts'

/**
 * Restores a backup to a scratch folder and opens it there: class, key and accounts are read, and the histories of each contest that has
 * been played are there. Returns why it cannot be used, as a sentence; null: it can.
 */
export async function whyUnusable(backup: string): Promise<string | null> {
  const scratch = await mkdtemp(join(tmpdir(), 'tartaglia-restored-'))
  try {
    if (!existsSync(join(backup, 'class.json'))) return `${backup} has no class.json.`
    await copyAll(backup, scratch)
    const { content } = await loadClass(scratch)
    const missing = content.contests.find(
      ({ id, state }) => state === 'ended' && !existsSync(join(scratch, 'contests', id)),
    )
    if (missing !== undefined) return `${backup} lacks the histories of the contest ${missing.id}.`
    const damage = whyDamaged(scratch)
    if (damage !== null) return `${backup}: ${damage}.`
    const home = await openClassFolder(scratch)
    const [before, after] = [countsOf(content), countsOf(home.content)]
    const notices = home.notices
    await home.close()
    if (JSON.stringify(before) !== JSON.stringify(after) || notices.length > 0)
      return `${backup} had to be mended when it was opened: ${notices.join(' ')}`
    return null
  } catch (error) {
    return `${backup} cannot be opened: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
