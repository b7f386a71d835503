import { randomUUID } from 'node:crypto'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import type { VerifyVerdict } from '../../histories/verify.ts'
import { readPieces } from '../files/read-file.ts'
import { receiveFile } from '../files/received-file.ts'
import { createArrivingFile, type ArrivingFile } from './arriving-file.ts'
import { findInPlaceFile } from '../files/in-place-file.ts'
import type { Coming } from './match-index.ts'

/** A history file that a person opened. */
export interface OpenedFile {
  /** Its name where it comes from. */
  readonly name: string
  /** The file that is read: a copy, or the file itself. */
  readonly path: string
  /** Its length; for an arriving file, its announced length. */
  readonly bytes: number
  /** null: the file is complete. */
  readonly coming: Coming | null
  /** Resolves when the whole file has arrived. Rejects with ExpectedError if it will not; the file is then forgotten. */
  readonly whole: Promise<void>
  /** null until it has been verified. The bytes that are read do not change, so neither does the verdict. */
  verdict: VerifyVerdict | null
  /**
   * Call this after each read and discard what was read if it rejects. Rejects with ExpectedError 'usage' if a file
   * read in place is not the one that was opened; it is then forgotten.
   */
  same(): Promise<void>
}

/**
 * History files from elsewhere: a local file is read in place, others as a copy outside the data folder while the
 * classroom is open. They are on disk, not in memory, so that workers can read them and unused large files cost no
 * memory.
 */
export interface OpenedFiles {
  /**
   * Stores a copy and returns its handle. Rejects with ExpectedError 'usage' if it is too large, with MachineError, or
   * with the error of `content`; nothing remains of it then.
   */
  add(fileName: string, content: AsyncIterable<Uint8Array>): Promise<string>
  /**
   * Opens a local file in place, without ever writing to it, and returns its handle. A file that cannot be read twice,
   * such as a pipe, is copied as by `add`; a file that cannot be read rejects like `add`.
   */
  open(path: string): Promise<string>
  /**
   * Announces a file and returns its handle, so that the part that has arrived can be read. `bytes`: its length, `end`:
   * its last bytes. Rejects with ExpectedError 'usage' if it is too large, and with MachineError.
   */
  expect(fileName: string, bytes: number, end: Uint8Array): Promise<string>
  /**
   * Like `add`, for an announced file. ExpectedError 'usage' also if the file was not announced or differs from the
   * announcement.
   */
  arrive(handle: string, content: AsyncIterable<Uint8Array>): Promise<string>
  /** Throws ExpectedError 'usage' if the handle is unknown or its file was dropped. */
  get(handle: string): OpenedFile
  /** Returns a path for a temporary file; the caller removes the file. */
  scratch(): Promise<string>
  /** Abandons files that are still arriving and rejects for everybody who waits for them. */
  abandon(): void
  close(): Promise<void>
}

/** Beyond either limit, the file that was opened first is dropped. The limit on size also applies to each file. */
const FILES_MAX = 20
const GB = 1024 * 1024 * 1024
/** null: it was not announced. */
const PATIENCE = 10_000

interface Kept extends OpenedFile {
  coming: Coming | null
  /** null: it was never announced. */
  readonly arrival: ArrivingFile | null
  /** The file is read in place and must not be removed. */
  readonly inPlace: boolean
  /** Running while nothing of the file has arrived. */
  awaited: NodeJS.Timeout | null
}

/** The fields that all complete files share. */
const here = {
  coming: null,
  whole: Promise.resolve(),
  arrival: null,
  inPlace: false,
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
    if (!file.inPlace) await rm(file.path, { force: true })
  }

  const makeRoom = async (): Promise<void> => {
    const size = (): number => [...files.values()].reduce((sum, { bytes, inPlace }) => sum + (inPlace ? 0 : bytes), 0)
    while (files.size > 1 && (files.size > FILES_MAX || size() > most)) await forget(files.keys().next().value!, gone())
  }

  /** Creates an empty file. */
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
    new ExpectedError('usage', 'too-large', `${name} is larger than the maximum of ${most / GB} GB.`)

  const add = async (name: string, content: AsyncIterable<Uint8Array>): Promise<string> => {
    const path = await create()
    try {
      const bytes = await receiveFile(path, content, most)
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
      const file = await findInPlaceFile(path, name)
      if (file === null) return add(name, readPieces(path))
      if (file.bytes > most) throw tooLarge(name)
      const handle = randomUUID()
      const same = (): Promise<void> =>
        file.same().catch(async (error: unknown) => {
          await forget(handle, gone())
          throw error
        })
      return keep({ ...here, name, path, bytes: file.bytes, inPlace: true, same }, handle)
    },
    async expect(name, bytes, end) {
      if (bytes > most) throw tooLarge(name)
      const path = await create()
      const arrival = createArrivingFile(Buffer.from(end))
      const { coming, whole } = arrival
      const file: Kept = { ...here, name, path, bytes, coming, whole, arrival }
      const handle = await keep(file)
      const giveUp = (): void =>
        void forget(handle, new ExpectedError('stopped', 'upload-incomplete', `No data of ${name} has arrived.`))
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
        const got = await receiveFile(path, content, bytes, arrival.grow)
        if (got !== bytes || !(await endsWith(path, bytes, arrival.coming.end))) {
          throw new ExpectedError('usage', 'file-changed', `${name} was changed while it was opened; open it again.`)
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
  return new ExpectedError('usage', 'file-not-open', 'That file is no longer open; open it again.')
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
