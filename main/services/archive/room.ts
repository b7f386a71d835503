import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { partsThat } from '../../administrator/classroom/layout.ts'
import { MachineError } from '../../histories/machine-error.ts'

/** The bytes of a class as archives and backups have it. A file that vanishes meanwhile has none. */
export const bytesOfClass = (data: string): Promise<number> => bytesOfParts(data, partsThat('moment', 'taken'))

/** The bytes of the records of a class of which an archive holds a copy of one moment, unpacked, until it is written. */
export const bytesOfRecords = (data: string): Promise<number> => bytesOfParts(data, partsThat('moment'))

async function bytesOfParts(data: string, parts: readonly string[]): Promise<number> {
  let bytes = 0
  for (const part of parts) bytes += await bytesOf(join(data, part))
  return bytes
}

/** The bytes of a file, or of the files of a folder; 0: nothing is there. */
export async function bytesOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  if (found === null) return 0
  if (!found.isDirectory()) return found.size
  let bytes = 0
  // Folder by folder: one that vanishes meanwhile, as of a deleted contest, would end a walk of the system.
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => []))
    if (entry.isFile() || entry.isDirectory()) bytes += await bytesOf(join(path, entry.name))
  return bytes
}

/**
 * Throws MachineError `disk-full` unless the disk of a folder has room for something of a number of bytes, before anything of it is written.
 * `what`: such as "the class"; `reserve`: bytes that have to stay free beside it. A disk that does not say how much is free is tried.
 */
export async function requireRoom(folder: string, bytes: number, what: string, reserve = 0): Promise<void> {
  const disk = await statfs(folder).catch(() => null)
  if (disk === null) return
  const free = disk.bavail * disk.bsize
  if (free > bytes + reserve) return
  throw new MachineError(
    `The disk of ${folder} has no room for ${what}: up to ${inMegabytes(bytes + reserve)} are needed, ${inMegabytes(free)} are free. Nothing was written: make room, or choose another disk.`,
    folder,
    'disk-full',
  )
}

/**
 * The same for several folders at once, whose bytes are added up where they lie on one disk. `what`: all that is written. Throws like `requireRoom`.
 */
export async function requireRooms(
  wanted: readonly { readonly folder: string; readonly bytes: number }[],
  what: string,
): Promise<void> {
  const disks = new Map<number | null, { readonly folder: string; readonly bytes: number }>()
  for (const { folder, bytes } of wanted) {
    const disk = await stat(folder).then(
      ({ dev }) => dev,
      () => null,
    )
    disks.set(disk, { folder, bytes: bytes + (disks.get(disk)?.bytes ?? 0) })
  }
  for (const { folder, bytes } of disks.values()) await requireRoom(folder, bytes, what)
}

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`
