import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { loadClass } from '../../administrator/classroom/recovered-class.ts'
import { partsThat } from '../../administrator/classroom/layout.ts'
import { copyPeopleDatabase, PEOPLE_FILE } from '../../administrator/people/people-database.ts'
import { isBeingWritten } from '../../administrator/classroom/synced-file.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { syncFile, syncFolder } from '../../histories/durable.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { copySummed, sumOf, sumsOf, writeSums, type FileSums } from './backup-sums.ts'
import { bytesOfClass, requireRoom } from './room.ts'
import { recordFiles } from '../record/contest-record.ts'
import { renamed } from '../../histories/put-in-place.ts'

/** The folder of the backups of a data folder: beside it, so that what destroys the one does not destroy the other. */
export function backupsOf(data: string): string {
  const folder = resolve(data)
  return join(dirname(folder), `${basename(folder)}-backups`)
}

/** Throws ExpectedError 'host' if a folder for backups is in the data folder or the reverse, as through a link. */
export async function requireOutside(data: string, backups: string): Promise<void> {
  const [place, home] = [await realpath(backups).catch(() => resolve(backups)), await realpath(data)]
  const why = isWithin(place, home)
    ? `leads into the data folder that they protect: remove the link`
    : isWithin(home, place)
      ? `holds the data folder, ${data}: move the class out of it, or choose another folder`
      : null
  if (why !== null) throw new ExpectedError('host', 'backup-inside', `The folder for backups, ${backups}, ${why}.`)
}

/** True: a path is a folder or leads into it. */
function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return !isAbsolute(way) && way.split(sep)[0] !== '..'
}

/** A backup that was made. */
interface Backup {
  readonly folder: string
  readonly bytes: number
}

/** Makes a backup in a new numbered folder of `backupsOf`. Rejects like `backUpInto`. */
export async function backUp(home: ClassFolder): Promise<Backup> {
  const backups = backupsOf(home.folder)
  await requireOutside(home.folder, backups)
  const next = 1 + Math.max(0, ...(await listed(backups)).map(Number).filter(Number.isSafeInteger))
  return backUpInto(home, backups, String(next))
}

/**
 * Copies the class (`dataLayout`) into a new folder of a folder for backups, which can be opened as a data folder. It appears complete or not
 * at all. class.json, accounts, receipts and cases are copied first, while nothing changes: no hand-in is between its receipt and its
 * version then, and nobody between their entry and their account. Everything that they refer to exists already; a history that is growing is copied up to some point, as if the program had
 * been killed then. Throws ExpectedError 'host' and MachineError.
 */
export async function backUpInto(home: ClassFolder, backups: string, name: string): Promise<Backup> {
  await requireOutside(home.folder, backups)
  const folder = join(backups, name)
  const growing = join(backups, `.${name}.new`)
  const sums: FileSums = new Map()
  try {
    await rm(growing, { recursive: true, force: true })
    await mkdir(growing, { recursive: true, mode: 0o700 })
    await requireRoom(growing, await bytesOfClass(home.folder), 'the backup')
    // Waits for a change in progress.
    let bytes = await home.atRest(() => copyRecords(home.folder, growing, sums))
    // Those of the class.json that was copied: others may have been added since.
    const contests = (await loadClass(growing)).content.contests.map(({ id }) => join('contests', id))
    const taken = partsThat('taken').filter((each) => each !== 'contests')
    for (const part of [...taken, ...contests]) {
      bytes += await copyAll(join(home.folder, part), join(growing, part), sums)
    }
    await writeSums(folder, growing, sums)
    await renamed(growing, folder)
    syncFolder(backups)
    return { folder, bytes }
  } catch (error) {
    await rm(growing, { recursive: true, force: true }).catch(() => undefined)
    await rm(sumsOf(folder), { force: true }).catch(() => undefined)
    throw machineErrorFrom(error, 'write the backup', folder)
  }
}

/** Copies the records that name one another. Returns the number of bytes. `sums`: see `copyAll`. */
export async function copyRecords(data: string, to: string, sums?: FileSums): Promise<number> {
  let bytes = await copyPeopleDatabase(data, to)
  // The copy is made by the database itself.
  const people = join(to, PEOPLE_FILE)
  if (sums !== undefined && existsSync(people)) sums.set(people, await sumOf(people))
  for (const name of partsThat('moment'))
    if (name !== PEOPLE_FILE) bytes += await copyAll(join(data, name), join(to, name), sums)
  return bytes
}

/**
 * Copies a file, or the files of a folder, if it exists. Returns the number of bytes, which are synced to disk. `sums`: gets the checksums of the
 * bytes as they were read, by the paths of the copies.
 */
export async function copyAll(from: string, to: string, sums?: FileSums): Promise<number> {
  if (!existsSync(from)) return 0
  const { size, mode } = await stat(from)
  if ((await stat(from)).isDirectory()) {
    await mkdir(to, { recursive: true, mode: mode & 0o777 })
    let bytes = 0
    for (const name of await listed(from)) bytes += await copyAll(join(from, name), join(to, name), sums)
    syncFolder(to)
    return bytes
  }
  await mkdir(dirname(to), { recursive: true })
  if (sums === undefined) await copyFile(from, to, constants.COPYFILE_FICLONE)
  else sums.set(to, await copySummed(from, to, mode))
  await syncFile(to)
  return sums?.get(to)?.size ?? size
}

async function listed(folder: string): Promise<readonly string[]> {
  const names = existsSync(folder) ? await readdir(folder) : []
  return names.filter((name) => !isBeingWritten(name) && !recordFiles.has(name))
}
