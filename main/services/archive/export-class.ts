import { createHash } from 'node:crypto'
import { createWriteStream, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import manifest from '../../../package.json' with { type: 'json' }
import { openClassFolder, type ClassFolder } from '../../administrator/classroom/classroom.ts'
import { PRIVATE_FILE } from '../../administrator/classroom/private-files.ts'
import { loadClass } from '../../administrator/classroom/recovered-class.ts'
import { scratchFolder } from '../../administrator/classroom/scratch.ts'
import { PEOPLE_FORM } from '../../administrator/people/people-database.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { CLASS_FORMAT } from '../../contract/procedures/classroom.ts'
import { syncFile } from '../../histories/durable.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { checkOutFile, moveIntoPlace, temporaryFor, type OutFile } from '../files/output-file.ts'
import { requireDataFolder } from '../machine/existing-class.ts'
import type { TaskFollowing } from '../ongoing-tasks.ts'
import { whyUnsafe } from '../packages/files.ts'
import { tarEnd, tarFill, tarHeader } from '../packages/tar.ts'
import { encrypterFor } from './age.ts'
import {
  ARCHIVE_FORMAT,
  CLASS_FOLDER,
  countsOf,
  FILE_BYTES_MAX,
  MANIFEST,
  manifestText,
  SIGNATURE,
  type ArchiveManifest,
  type Counts,
} from './manifest.ts'
import { bytesOfClass, bytesOfRecords, requireRooms } from './room.ts'
import { bytesOf, hashOf, takeSnapshot, type Snapshot, type SnapshotFile } from './snapshot.ts'

/** The result of an export. */
interface ExportedClass {
  readonly counts: Counts
  readonly files: number
  /** Names in the data folder that belong to no class and were left out. */
  readonly leftOut: readonly string[]
}

/**
 * Writes the class of a data folder as one file: a tar archive in gzip, or, for a `recipient`, encrypted with age. It has the signing key, the
 * certificate's key and the hashes of passwords, but no sessions. The file appears complete or not at all, and memory does not grow with the
 * class. Throws ExpectedError, and MachineError, as when another process has the folder open.
 */
export async function exportClass(data: string, out: OutFile, recipient: string | null): Promise<ExportedClass> {
  requireDataFolder(data)
  if ((await loadClass(data)).fresh)
    throw new ExpectedError('usage', 'data-folder-unknown', `The folder ${data} has no class.`)
  const home = await openClassFolder(data)
  try {
    return await exportOpenClass(home, out, recipient)
  } finally {
    await home.close()
  }
}

/**
 * The same for a class that is open, and may be running: its records are those of one moment, and a history that is growing is taken up to some
 * point, as if the program had been killed then. `signal`: stops it, with ExpectedError `stopped`; nothing of the file remains then. `onProgress`:
 * called after each piece that was read.
 */
export async function exportOpenClass(
  home: ClassFolder,
  out: OutFile,
  recipient: string | null,
  { signal, onProgress }: Partial<TaskFollowing> = {},
): Promise<ExportedClass> {
  checkOutFile(out)
  const encrypt = recipient === null ? null : await encrypterFor(recipient)
  const scratch = await scratchFolder(home, 'archive')
  try {
    await requireRooms(
      [
        { folder: scratch, bytes: await bytesOfRecords(home.folder) },
        // It is packed, but agents and histories may be as large as they are.
        { folder: dirname(resolve(out.path)), bytes: await bytesOfClass(home.folder) },
      ],
      'the archive and the copies of which it is made',
    )
    signal?.throwIfAborted()
    const snapshot = await takeSnapshot(home, scratch)
    const progress = { bytes: snapshot.files.reduce((sum, { size }) => sum + size, 0), listed: 0, packed: 0 }
    const read = (what: 'listed' | 'packed') => (bytes: number) => {
      progress[what] += bytes
      onProgress?.({ ...progress })
    }
    const list = await manifestOf(snapshot, read('listed'), signal)
    const text = manifestText(list)
    const packed = createGzip()
    const failure = new AbortController()
    const stops = AbortSignal.any([failure.signal, ...(signal === undefined ? [] : [signal])])
    const writing = pipeline(
      Readable.from(pieces(home, { list, text, files: snapshot.files }, read('packed'))),
      packed,
      { signal: stops },
    )
    const written = async function* (): AsyncGenerator<Uint8Array> {
      yield* encrypt === null ? packed : await encrypt(packed)
    }
    const parts = [writing, writeStreamed(out, written(), stops)]
    try {
      await Promise.all(parts)
    } catch (error) {
      // Both have closed and deleted their files before anybody is told.
      failure.abort()
      await Promise.allSettled(parts)
      throw error
    }
    return { counts: list.counts, files: list.files.length, leftOut: snapshot.leftOut }
  } catch (error) {
    throw signal?.aborted === true ? new ExpectedError('stopped', 'stopped', 'The export was stopped.') : error
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** `onRead`: called with the number of bytes of each piece. */
async function manifestOf(
  { content, files }: Snapshot,
  onRead: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<ArchiveManifest> {
  const unsafe = whyUnsafe(files.map(({ path }) => path))
  if (unsafe !== null)
    throw new ExpectedError(
      'usage',
      unsafe.code,
      `The class cannot be exported: ${unsafe.why}. Rename it in the data folder.`,
    )
  const large = files.find(({ size }) => size > FILE_BYTES_MAX)
  if (large !== undefined)
    throw new ExpectedError('host', 'too-large', `${large.from} has more than 8 GB, which no archive holds.`)
  const listed: ArchiveManifest['files'] = []
  for (const file of files) {
    signal?.throwIfAborted()
    listed.push({ path: file.path, size: file.size, sha256: await hashOf(file, onRead) })
  }
  return {
    format: ARCHIVE_FORMAT,
    program: manifest.version,
    data: { class: CLASS_FORMAT, people: PEOPLE_FORM },
    made: new Date().toISOString(),
    counts: countsOf(content),
    files: listed,
  }
}

async function* pieces(
  { key }: ClassFolder,
  {
    list,
    text,
    files,
  }: { readonly list: ArchiveManifest; readonly text: string; readonly files: readonly SnapshotFile[] },
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  yield* textMember(MANIFEST, text)
  yield* textMember(SIGNATURE, key.sign(text))
  for (const [index, file] of files.entries()) {
    yield tarHeader(`${CLASS_FOLDER}/${file.path}`, file.size, '600')
    const hash = createHash('sha256')
    for await (const bytes of bytesOf(file)) {
      hash.update(bytes)
      yield bytes
      onRead(bytes.length)
    }
    if (hash.digest('hex') !== list.files[index]!.sha256)
      throw new ExpectedError(
        'conflict',
        'changed-elsewhere',
        `${file.from} changed while it was exported: export it again.`,
      )
    yield tarFill(file.size)
  }
  yield tarEnd
}

function* textMember(name: string, text: string): Generator<Uint8Array> {
  const bytes = Buffer.from(text)
  yield* [tarHeader(name, bytes.length, '600'), bytes, tarFill(bytes.length)]
}

/** Writes a file as its bytes come, for its owner only; it has its name when all of it is on disk. */
async function writeStreamed(out: OutFile, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  const temporary = temporaryFor(out.path)
  try {
    await pipeline(bytes, createWriteStream(temporary, { flags: 'wx', mode: PRIVATE_FILE }), { signal })
    await syncFile(temporary)
    signal.throwIfAborted()
    moveIntoPlace(out, temporary)
  } catch (error) {
    throw error instanceof ExpectedError ? error : machineErrorFrom(error, 'write', out.path)
  } finally {
    rmSync(temporary, { force: true })
  }
}
