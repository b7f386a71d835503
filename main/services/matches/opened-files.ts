import { randomUUID } from 'node:crypto'
import { open, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { passingFolder } from '../../administrator/classroom/scratch.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import type { VerifyVerdict } from '../../histories/verify.ts'
import { readPieces } from '../files/read-file.ts'
import { receiveFile } from '../files/received-file.ts'
import { findInPlaceFile } from '../files/in-place-file.ts'
import type { Coming } from './match-index.ts'
import { createChangeSignal } from './change-signal.ts'

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
  /** Closes a file. */
  drop(handle: string): Promise<void>
  /** Returns a path for a temporary file; the caller removes the file. */
  scratch(): Promise<string>
  /** Abandons files that are still arriving and rejects for everybody who waits for them. */
  abandon(): void
  close(): Promise<void>
}

/** Beyond this number or the limit on their size, the file that was opened first is dropped: two lists of files. */
const FILES_MAX = 1_000
/** The limit on each file; bytes. */
const GB = 1024 * 1024 * 1024
/** The limit on the copies of an open classroom: an archive, and the histories that were in it; bytes. */
export const COPIES_BYTES_MAX = 2 * GB
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

/** The opened files of a classroom. */
interface Opened {
  /** By handle, in the order in which they were opened. */
  readonly files: Map<string, Kept>
  /** The folder of copies; null: none is needed yet. */
  folder: string | null
  /** The limit on the size of each file; bytes. */
  readonly most: number
  /** The limit on the size of all copies; bytes. */
  readonly together: number
  /** How long an announced file may take to begin to arrive; ms. */
  readonly patience: number
}

/** `most`, `together`: the limits on the size of a file and of all copies in bytes. `patience`: ms. */
export function createOpenedFiles(most = GB, patience = PATIENCE, together = most): OpenedFiles {
  const opened: Opened = { files: new Map(), folder: null, most, together, patience }
  const { files } = opened
  return {
    scratch: async () => scratch(opened),
    add: (name, content) => add(opened, name, content),
    open: (path) => openInPlace(opened, path),
    expect: (name, bytes, end) => announce(opened, name, bytes, end),
    arrive: (handle, content) => arrive(opened, handle, content),
    get(handle) {
      const file = files.get(handle)
      if (file === undefined) throw gone()
      return file
    },
    drop: (handle) => forget(opened, handle, gone()),
    abandon() {
      for (const { arrival } of files.values()) arrival?.end(gone())
    },
    async close() {
      for (const handle of [...files.keys()]) await forget(opened, handle, gone())
      if (opened.folder !== null) await rm(opened.folder, { recursive: true, force: true })
      opened.folder = null
    },
  }
}

async function openInPlace(opened: Opened, path: string): Promise<string> {
  const name = basename(path)
  const file = await findInPlaceFile(path, name)
  if (file === null) return add(opened, name, readPieces(path))
  if (file.bytes > opened.most) throw tooLarge(opened, name)
  const handle = randomUUID()
  const same = (): Promise<void> =>
    file.same().catch(async (error: unknown) => {
      await forget(opened, handle, gone())
      throw error
    })
  return keep(opened, { ...here, name, path, bytes: file.bytes, inPlace: true, same }, handle)
}

async function announce(opened: Opened, name: string, bytes: number, end: Uint8Array): Promise<string> {
  if (bytes > opened.most) throw tooLarge(opened, name)
  const path = await create(opened)
  const arrival = createArrivingFile(Buffer.from(end))
  const { coming, whole } = arrival
  const file: Kept = { ...here, name, path, bytes, coming, whole, arrival }
  const handle = await keep(opened, file)
  const giveUp = (): void =>
    void forget(opened, handle, new ExpectedError('stopped', 'upload-incomplete', `No data of ${name} has arrived.`))
  file.awaited = setTimeout(giveUp, opened.patience).unref()
  return handle
}

async function arrive(opened: Opened, handle: string, content: AsyncIterable<Uint8Array>): Promise<string> {
  const file = opened.files.get(handle)
  if (file === undefined || file.arrival === null || file.awaited === null) throw gone()
  const { name, path, bytes, arrival } = file
  clearTimeout(file.awaited)
  file.awaited = null
  try {
    const got = await receiveFile(path, content, bytes, arrival.grow)
    if (got !== bytes || !(await endsWith(path, bytes, arrival.coming.end))) {
      throw new ExpectedError('usage', 'file-changed', `${name} was changed while it was opened; open it again.`)
    }
    if (opened.files.get(handle) !== file) throw gone()
    file.coming = null
    arrival.end()
    return handle
  } catch (error) {
    await forget(opened, handle, error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}

function scratch(opened: Opened): string {
  opened.folder ??= passingFolder('opened')
  return join(opened.folder, `${randomUUID()}.jsonl`)
}

async function forget(opened: Opened, handle: string, why: Error): Promise<void> {
  const file = opened.files.get(handle)
  if (file === undefined) return
  opened.files.delete(handle)
  if (file.awaited !== null) clearTimeout(file.awaited)
  file.arrival?.end(why)
  if (!file.inPlace) await rm(file.path, { force: true })
}

async function makeRoom(opened: Opened): Promise<void> {
  const size = (): number =>
    [...opened.files.values()].reduce((sum, { bytes, inPlace }) => sum + (inPlace ? 0 : bytes), 0)
  while (opened.files.size > 1 && (opened.files.size > FILES_MAX || size() > opened.together))
    await forget(opened, opened.files.keys().next().value!, gone())
}

/** Creates an empty file. */
async function create(opened: Opened): Promise<string> {
  const path = scratch(opened)
  await writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    throw machineErrorFrom(error, 'write', path)
  })
  return path
}

async function keep(opened: Opened, file: Kept, handle = basename(file.path, '.jsonl')): Promise<string> {
  opened.files.set(handle, file)
  await makeRoom(opened)
  return handle
}

function tooLarge(opened: Opened, name: string): ExpectedError {
  return new ExpectedError('usage', 'too-large', `${name} is larger than the maximum of ${opened.most / GB} GB.`)
}

async function add(opened: Opened, name: string, content: AsyncIterable<Uint8Array>): Promise<string> {
  const path = await create(opened)
  try {
    const bytes = await receiveFile(path, content, opened.most)
    if (bytes === null) throw tooLarge(opened, name)
    return await keep(opened, { ...here, name, path, bytes })
  } catch (error) {
    await rm(path, { force: true })
    throw error
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

/** The arrival of an announced file: its writer reports progress, its readers wait. */
interface ArrivingFile {
  readonly coming: Coming
  /** Resolves when the whole file has arrived; rejects with the reason if it will not. */
  readonly whole: Promise<void>
  /** Reports the number of bytes that have arrived. */
  grow(have: number): void
  /** Ends the arrival, successfully or with a failure. Later calls have no effect. */
  end(failure?: Error): void
}

/** `end`: the file's last bytes. */
function createArrivingFile(end: Buffer): ArrivingFile {
  let here = 0
  let over: { readonly failure: Error | undefined } | null = null
  const signal = createChangeSignal()
  const arrived = async (): Promise<void> => {
    while (over === null) await signal.next()
    if (over.failure !== undefined) throw over.failure
  }
  const whole = arrived()
  whole.catch(() => undefined)
  return {
    coming: {
      end,
      async more(have) {
        while (here <= have && over === null) await signal.next()
        if (here <= have) await whole
        return here > have
      },
    },
    whole,
    grow(have) {
      here = have
      signal.changed()
    },
    end(failure) {
      over ??= { failure }
      signal.changed()
    },
  }
}
