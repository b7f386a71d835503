import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { ClassFolder } from '../administrator/classroom/classroom.ts'
import { copyPeopleDatabase } from '../administrator/people/people-database.ts'
import { isBeingWritten } from '../administrator/classroom/synced-file.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import { syncFile, syncFolder } from '../histories/durable.ts'
import { machineErrorFrom } from '../histories/machine-error.ts'
import { recordFiles } from '../services/record/contest-record.ts'

/** The folder of the backups of a data folder: beside it, so that what destroys the one does not destroy the other. */
export function backupsOf(data: string): string {
  const folder = resolve(data)
  return join(dirname(folder), `${basename(folder)}-backups`)
}

/** The folder for backups. Throws ExpectedError 'host' if it is in the data folder, as through a link. */
async function outside(data: string): Promise<string> {
  const backups = backupsOf(data)
  const [place, inner] = [await realpath(backups).catch(() => resolve(backups)), await realpath(data)]
  if (!`${place}${sep}`.startsWith(`${inner}${sep}`)) return backups
  throw new ExpectedError(
    'host',
    'backup-inside',
    `The folder for backups, ${backups}, leads into the data folder that they protect: remove the link.`,
  )
}

/**
 * Copies class, accounts, keys, hand-ins with their receipts, cases, agents, components, challenges, texts, comments, dossiers and histories into a new numbered folder of `backupsOf`, which
 * can be opened as a data folder. The folder appears complete or not at all. class.json, accounts and receipts are copied first, in a turn
 * of their own: no hand-in is between its receipt and its version then. Everything that they refer to exists already; a history that is growing is copied up to some point, as if the program had been killed then. Throws
 * MachineError.
 */
export async function backUp(home: ClassFolder): Promise<{ readonly folder: string; readonly bytes: number }> {
  const backups = await outside(home.folder)
  const next = 1 + Math.max(0, ...(await listed(backups)).map(Number).filter(Number.isSafeInteger))
  const folder = join(backups, String(next))
  const growing = join(backups, `.${next}.new`)
  try {
    await rm(growing, { recursive: true, force: true })
    await mkdir(growing, { recursive: true, mode: 0o700 })
    const contests = home.content.contests.map(({ id }) => join('contests', id))
    // Waits for a change in progress.
    let bytes = await home.inTurn(() => copyRecords(home.folder, growing))
    for (const name of [
      'handed-in',
      'keys',
      'agents',
      'components',
      'challenges',
      'texts',
      'comments',
      'dossiers',
      ...contests,
    ]) {
      bytes += await copy(join(home.folder, name), join(growing, name))
    }
    await rename(growing, folder)
    syncFolder(backups)
    return { folder, bytes }
  } catch (error) {
    await rm(growing, { recursive: true, force: true }).catch(() => undefined)
    throw machineErrorFrom(error, 'write the backup', folder)
  }
}

/** Copies the records that name one another. Returns the number of bytes. */
async function copyRecords(data: string, to: string): Promise<number> {
  const bytes = await copyPeopleDatabase(data, to)
  const ofClass = await copy(join(data, 'class.json'), join(to, 'class.json'))
  return (
    bytes +
    ofClass +
    (await copy(join(data, 'receipts'), join(to, 'receipts'))) +
    (await copy(join(data, 'cases'), join(to, 'cases')))
  )
}

/** Copies a file, or the files of a folder, if it exists. Returns the number of bytes, which are synced to disk. */
async function copy(from: string, to: string): Promise<number> {
  if (!existsSync(from)) return 0
  const { size, mode } = await stat(from)
  if ((await stat(from)).isDirectory()) {
    await mkdir(to, { recursive: true, mode: mode & 0o777 })
    let bytes = 0
    for (const name of await listed(from)) bytes += await copy(join(from, name), join(to, name))
    syncFolder(to)
    return bytes
  }
  await mkdir(dirname(to), { recursive: true })
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  await syncFile(to)
  return size
}

async function listed(folder: string): Promise<readonly string[]> {
  const names = existsSync(folder) ? await readdir(folder) : []
  return names.filter((name) => !isBeingWritten(name) && !recordFiles.has(name))
}
