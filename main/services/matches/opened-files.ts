import { randomUUID } from 'node:crypto'
import { mkdtemp, open, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import type { VerifyVerdict } from '../../histories/verify.ts'
import { readPieces } from '../files/read-file.ts'
import { createArrivingFile, type ArrivingFile } from './arriving-file.ts'
import { lookAtFile } from '../files/in-place-file.ts'
import type { Coming } from './match-index.ts'

/** A history that a person has opened from elsewhere. */
export interface OpenedFile {
  /** What it was called there. */
  readonly name: string
  /** What is read: a copy, or the file itself. */
  readonly path: string
  /** Its length, or the one that it will have. */
  readonly bytes: number
  /** null: all of it is here. */
  readonly coming: Coming | null
  /** Resolves when all of it is here. Rejects with ExpectedError where that will not be; the file is forgotten then. */
  readonly whole: Promise<void>
  /** null until it has been verified. What is read does not change, so its verdict does not either. */
  verdict: VerifyVerdict | null
  /**
   * To be asked after each reading: whoever has read something else than was opened is not to use it. Rejects with ExpectedError
   * 'usage' where a file that is read where it lies is not what it was; it is forgotten then.
   */
  same(): Promise<void>
}

/**
 * Histories from elsewhere: a file of this machine where it lies, of all others a copy, outside the data folder and only as
 * long as the classroom is open. On disk and not in memory, so that workers read them and large ones cost nothing while nobody
 * looks.
 */
export interface OpenedFiles {
  /**
   * Keeps a copy; gives the handle that it is known by from now on. Rejects with ExpectedError 'usage' where it is too large, with
   * MachineError, and as `content` does; nothing is left of it then.
   */
  add(fileName: string, content: AsyncIterable<Uint8Array>): Promise<string>
  /**
   * Gives the handle of a file of this machine, which is read where it lies and never written. What cannot be read twice, such
   * as a pipe, is copied as by `add`, and what cannot be read at all rejects as that does.
   */
  open(path: string): Promise<string>
  /**
   * Gives the handle of a file that will come in a moment, so that what is here of it can be read meanwhile. `bytes`: its
   * length, `end`: its last bytes. Rejects with ExpectedError 'usage' where it is too large, and with MachineError.
   */
  expect(fileName: string, bytes: number, end: Uint8Array): Promise<string>
  /** As `add`, for an expected file; ExpectedError 'usage' also where it is not expected, or is another one than was announced. */
  arrive(handle: string, content: AsyncIterable<Uint8Array>): Promise<string>
  /** Throws ExpectedError 'usage' where the handle is unknown or has had to make room. */
  get(handle: string): OpenedFile
  /** A path for a file of the moment; whoever asks removes it. */
  scratch(): Promise<string>
  /** What is still coming is given up, and whoever waits for it told so. */
  abandon(): void
  close(): Promise<void>
}

/** Beyond either, the file that was opened first is forgotten. No single one may be larger. */
const FILES_MAX = 20
const GB = 1024 * 1024 * 1024
/** ms after which a file that was announced, and of which nothing has come, is given up. */
const PATIENCE = 10_000

interface Kept extends OpenedFile {
  coming: Coming | null
  /** null: it was never announced. */
  readonly arrival: ArrivingFile | null
  /** It is somebody else's, and stays when it is forgotten. */
  readonly lies: boolean
  /** Nothing of it has come yet. */
  awaited: NodeJS.Timeout | null
}

/** What is the same of all files of which everything is there. */
const here = {
  coming: null,
  whole: Promise.resolve(),
  arrival: null,
  lies: false,
  awaited: null,
  verdict: null,
  same: () => Promise.resolve(),
}

/** `most`: bytes, `patience`: ms. */
export function createOpenedFiles(most = GB, patience = PATIENCE): OpenedFiles {
  const files = new Map<string, Kept>()
  let folder: Promise<string> | null = null

  const scratch = async (): Promise<string> => {
    folder ??= mkdtemp(join(tmpdir(), 'tartaglia-opened-'))
    return join(await folder, `${randomUUID()}.jsonl`)
  }

  const forget = async (handle: string, why: Error): Promise<void> => {
    const file = files.get(handle)
    if (file === undefined) return
    files.delete(handle)
    if (file.awaited !== null) clearTimeout(file.awaited)
    file.arrival?.end(why)
    if (!file.lies) await rm(file.path, { force: true })
  }

  const makeRoom = async (): Promise<void> => {
    const size = (): number => [...files.values()].reduce((sum, { bytes, lies }) => sum + (lies ? 0 : bytes), 0)
    while (files.size > 1 && (files.size > FILES_MAX || size() > most)) await forget(files.keys().next().value!, gone())
  }

  /** An empty file that is there from now on. */
  const create = async (): Promise<string> => {
    const path = await scratch().catch((error: unknown) => {
      throw machineErrorFrom(error, 'make a folder in', tmpdir())
    })
    await writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
      throw machineErrorFrom(error, 'write', path)
    })
    return path
  }

  const keep = async (file: Kept, handle = basename(file.path, '.jsonl')): Promise<string> => {
    files.set(handle, file)
    await makeRoom()
    return handle
  }

  const tooLarge = (name: string): ExpectedError =>
    new ExpectedError('usage', `${name} is larger than the maximum of ${most / GB} GB.`)

  const add = async (name: string, content: AsyncIterable<Uint8Array>): Promise<string> => {
    const path = await create()
    try {
      const bytes = await copyTo(path, content, most)
      if (bytes === null) throw tooLarge(name)
      return await keep({ ...here, name, path, bytes })
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  return {
    scratch,
    add,
    async open(path) {
      const name = basename(path)
      const file = await lookAtFile(path, name)
      if (file === null) return add(name, readPieces(path))
      if (file.bytes > most) throw tooLarge(name)
      const handle = randomUUID()
      const same = (): Promise<void> =>
        file.same().catch(async (error: unknown) => {
          await forget(handle, gone())
          throw error
        })
      return keep({ ...here, name, path, bytes: file.bytes, lies: true, same }, handle)
    },
    async expect(name, bytes, end) {
      if (bytes > most) throw tooLarge(name)
      const path = await create()
      const arrival = createArrivingFile(Buffer.from(end))
      const { coming, whole } = arrival
      const file: Kept = { ...here, name, path, bytes, coming, whole, arrival }
      const handle = await keep(file)
      const giveUp = (): void => void forget(handle, new ExpectedError('stopped', `Nothing has come of ${name}.`))
      file.awaited = setTimeout(giveUp, patience).unref()
      return handle
    },
    async arrive(handle, content) {
      const file = files.get(handle)
      if (file === undefined || file.arrival === null || file.awaited === null) throw gone()
      const { name, path, bytes, arrival } = file
      clearTimeout(file.awaited)
      file.awaited = null
      try {
        const got = await copyTo(path, content, bytes, arrival.grow)
        if (got !== bytes || !(await endsWith(path, bytes, arrival.coming.end))) {
          throw new ExpectedError('usage', `${name} was changed while it was opened; open it again.`)
        }
        if (files.get(handle) !== file) throw gone()
        file.coming = null
        arrival.end()
        return handle
      } catch (error) {
        await forget(handle, error instanceof Error ? error : new Error(String(error)))
        throw error
      }
    },
    get(handle) {
      const file = files.get(handle)
      if (file === undefined) throw gone()
      return file
    },
    abandon() {
      for (const { arrival } of files.values()) arrival?.end(gone())
    },
    async close() {
      for (const handle of [...files.keys()]) await forget(handle, gone())
      if (folder !== null) await rm(await folder, { recursive: true, force: true })
      folder = null
    },
  }
}

function gone(): ExpectedError {
  return new ExpectedError('usage', 'That file is no longer open; open it again.')
}

/** Fills an empty file; gives its length, or null when it would be longer than `most`. `onGrown` is told its length so far. */
async function copyTo(
  path: string,
  content: AsyncIterable<Uint8Array>,
  most: number,
  onGrown: (bytes: number) => void = () => undefined,
): Promise<number | null> {
  const failed = (error: unknown): never => {
    throw machineErrorFrom(error, 'write', path)
  }
  // Made before, and by nobody else: its folder is this process's own.
  const file: FileHandle = await open(path, 'r+').catch(failed)
  try {
    let bytes = 0
    for await (const piece of content) {
      if (bytes + piece.length > most) return null
      for (let done = 0; done < piece.length;) done += (await file.write(piece, done).catch(failed)).bytesWritten
      bytes += piece.length
      onGrown(bytes)
    }
    return bytes
  } finally {
    await file.close()
  }
}

async function endsWith(path: string, bytes: number, end: Buffer): Promise<boolean> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw machineErrorFrom(error, 'read', path)
  })
  try {
    const last = Buffer.alloc(end.length)
    await file.read(last, 0, last.length, Math.max(0, bytes - end.length))
    return last.equals(end)
  } finally {
    await file.close()
  }
}
