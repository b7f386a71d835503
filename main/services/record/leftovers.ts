import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isBeingWritten } from '../../administrator/classroom/synced-file.ts'
import { hasEnded, MARK, ownMark } from '../../histories/processes.ts'

/** The time in ms after which a database that is being written counts as left, on any machine. */
const LEFT_MS = 7_200_000

/** A new name for a database that this process writes. Backups leave out files with such names. */
export const growingName = (file: string): string => `${file}.${ownMark()}.${randomUUID()}.new`

const WRITER = new RegExp(`^\\.(${MARK})\\.`)

/** Removes what processes that were killed have left beside a database. Rejects with the system's error. */
export async function removeLeftovers(file: string): Promise<void> {
  for (const name of await readdir(dirname(file))) {
    if (!name.startsWith(`${basename(file)}.`) || !isBeingWritten(name)) continue
    const path = join(dirname(file), name)
    const writer = WRITER.exec(name.slice(basename(file).length))?.[1]
    const isLeft = (writer !== undefined && hasEnded(writer) === true) || (await isOld(path))
    if (isLeft) await rm(path, { force: true })
  }
}

async function isOld(path: string): Promise<boolean> {
  const written = await stat(path).catch(() => null)
  return written !== null && Date.now() - written.mtimeMs > LEFT_MS
}
