import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { dataLayout, partsThat } from '../../administrator/classroom/layout.ts'
import { loadClass } from '../../administrator/classroom/recovered-class.ts'
import { isBeingWritten } from '../../administrator/classroom/synced-file.ts'
import { dropSessions } from '../../administrator/people/people-database.ts'
import type { Sha256 } from '../../contract/ids.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'
import { recordFiles } from '../record/contest-record.ts'
import { copyRecords } from './back-up.ts'

/** A file as it is at the moment of a snapshot: its first `size` bytes, since a history may grow meanwhile. */
export interface SnapshotFile {
  /** Relative to the data folder, with forward slashes. */
  readonly path: string
  /** Its place on disk: the data folder, or the scratch folder for what is copied. */
  readonly from: string
  readonly size: number
}

/** The files of a class of one moment. */
export interface Snapshot {
  /** Its class.json. */
  readonly content: Classroom
  /** By path. */
  readonly files: readonly SnapshotFile[]
  /** Files and links of the data folder that belong to no class. */
  readonly leftOut: readonly string[]
}

/** Takes a snapshot of a class; `scratch`: an empty folder for copies. Rejects with MachineError or the system's error. */
export async function takeSnapshot(home: ClassFolder, scratch: string): Promise<Snapshot> {
  await home.atRest(() => copyRecords(home.folder, scratch))
  dropSessions(scratch)
  const { content } = await loadClass(scratch)
  const files: SnapshotFile[] = []
  const leftOut: string[] = []
  for (const name of partsThat('moment')) await collect(scratch, name, files, leftOut)
  for (const name of partsThat('taken')) await collect(home.folder, name, files, leftOut)
  const of = new Set(content.contests.map(({ id }) => id))
  const later = home.content.contests.flatMap(({ id }) => (of.has(id) ? [] : [`contests/${id}/`]))
  const unknown = (await readdir(home.folder)).filter((name) => !Object.hasOwn(dataLayout, name))
  // Contests that were added since that moment are not in its class.json.
  const ofMoment = files.filter(({ path }) => !later.some((folder) => path.startsWith(folder)))
  ofMoment.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { content, files: ofMoment, leftOut: [...leftOut, ...unknown].sort() }
}

async function collect(root: string, path: string, files: SnapshotFile[], leftOut: string[]): Promise<void> {
  const from = join(root, ...path.split('/'))
  const found = await lstat(from).catch(() => null)
  if (found === null) return
  if (found.isFile()) return void files.push({ path, from, size: found.size })
  if (!found.isDirectory()) return void leftOut.push(path)
  for (const name of (await readdir(from)).sort()) {
    // Unfinished files, contests that are being deleted, and databases that are built from the histories beside them.
    if (isBeingWritten(name) || name.startsWith('.') || recordFiles.has(name)) continue
    await collect(root, `${path}/${name}`, files, leftOut)
  }
}

/** The bytes of a file of a snapshot. */
export async function* bytesOf({ from, size }: SnapshotFile): AsyncGenerator<Buffer> {
  if (size === 0) return
  yield* createReadStream(from, { end: size - 1, highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>
}

/** `onRead`: called with the number of bytes of each piece. */
export async function hashOf(file: SnapshotFile, onRead: (bytes: number) => void): Promise<Sha256> {
  const hash = createHash('sha256')
  for await (const bytes of bytesOf(file)) {
    hash.update(bytes)
    onRead(bytes.length)
  }
  return hash.digest('hex')
}
