import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { passingFolder } from '../../administrator/classroom/scratch.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Caller } from '../../contract/people/caller.ts'
import type { DownloadPiece } from '../../contract/procedures/downloads.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'

/** The bytes of a file that is fetched piece by piece. */
export interface Download {
  readonly pieces: AsyncGenerator<Uint8Array>
  /** The part of it that has been given, 0 to 1. */
  part(): number
  /** Called once, when it is over. Absent: nothing remains of it. */
  remove?(): Promise<void>
}

/** Files for pages, which are too large for one message. They are kept until they are fetched or dropped. */
export interface Downloads {
  /** Returns a handle. Beyond the limits, older downloads are dropped. */
  begin(caller: Caller, download: Download): Promise<string>
  /**
   * Like `begin`, for a temporary file that `write` makes at a path; nothing remains of it afterwards. Rejects with MachineError
   * or the error of `write`.
   */
  beginFile(caller: Caller, write: (path: string) => Promise<void>): Promise<string>
  /**
   * Like `beginFile`, for a file that is the same for everybody: `write` is called once for a `key`, also while others wait for it, and the
   * file is kept until all downloads are dropped. Such files are made one after the other, since each is large in memory.
   */
  beginShared(caller: Caller, key: string, write: (path: string) => Promise<void>): Promise<string>
  /** Rejects with ExpectedError 'usage' if the download was dropped, and with the error of its bytes, which drops it. */
  piece(handle: string): Promise<DownloadPiece>
  drop(handle: string): Promise<void>
  /** Drops all downloads. */
  close(): Promise<void>
}

/** The maximum number of downloads that are open at a time. */
export interface DownloadLimits {
  readonly all: number
  /** For each caller, so that nobody drops the downloads of others; guests share theirs. */
  readonly ofCaller: number
}
const usual: DownloadLimits = { all: 32, ofCaller: 4 }

/** A piece is sent when it has at least this many bytes. */
export const PIECE_BYTES = 512 * 1024

interface Open extends Download {
  readonly holder: string
  /** Pieces of one download are taken one after the other. */
  turn: Promise<unknown>
}

interface Shelf {
  readonly limits: DownloadLimits
  readonly makeFolder: () => Promise<string>
  /** By handle, oldest first. */
  readonly open: Map<string, Open>
  /** A folder for temporary files; null until the first. */
  folder: Promise<string> | null
  /** The paths of files that are the same for everybody, by their keys. */
  readonly shared: Map<string, Promise<string>>
  /** The making of the last one of them. */
  making: Promise<unknown>
}

/** `makeFolder`: makes a folder for temporary files. */
export function createDownloads(
  limits: DownloadLimits = usual,
  makeFolder: () => Promise<string> = async () => passingFolder('downloads'),
): Downloads {
  const shelf: Shelf = {
    limits,
    makeFolder,
    open: new Map(),
    folder: null,
    shared: new Map(),
    making: Promise.resolve(),
  }
  return {
    begin: (caller, download) => begin(shelf, caller, download),
    async beginFile(caller, write) {
      const path = await scratch(shelf)
      try {
        await write(path)
        return await begin(shelf, caller, await downloadOf(path))
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
    },
    async beginShared(caller, key, write) {
      const path = await sharedFile(shelf, key, write)
      const file = await downloadOf(path).catch((error: unknown) => {
        // Something has deleted it: it is made once more for the next one.
        shelf.shared.delete(key)
        throw error
      })
      return begin(shelf, caller, { pieces: file.pieces, part: () => file.part() })
    },
    piece: (handle) => nextPiece(shelf, handle),
    drop: (handle) => drop(shelf, handle),
    async close() {
      for (const handle of [...shelf.open.keys()]) await drop(shelf, handle)
      await shelf.making
      shelf.shared.clear()
      if (shelf.folder !== null) await rm(await shelf.folder, { recursive: true, force: true })
      shelf.folder = null
    },
  }
}

async function begin(shelf: Shelf, { role, person }: Caller, download: Download): Promise<string> {
  const { limits, open } = shelf
  const handle = randomUUID()
  const holder = `${String(role)} ${String(person)}`
  open.set(handle, { ...download, holder, turn: Promise.resolve() })
  const own = [...open].filter(([, each]) => each.holder === holder).map(([each]) => each)
  const tooMany = own.length > limits.ofCaller ? own[0] : open.size > limits.all ? [...open.keys()][0] : undefined
  if (tooMany !== undefined) await drop(shelf, tooMany)
  return handle
}

/** A path for a temporary file. Rejects with MachineError. */
async function scratch(shelf: Shelf): Promise<string> {
  shelf.folder ??= shelf.makeFolder()
  const folder = await shelf.folder.catch((error: unknown) => {
    shelf.folder = null
    throw error
  })
  return join(folder, randomUUID())
}

function sharedFile(shelf: Shelf, key: string, write: (path: string) => Promise<void>): Promise<string> {
  const known = shelf.shared.get(key)
  if (known !== undefined) return known
  const made = shelf.making.then(async () => {
    const path = await scratch(shelf)
    try {
      await write(path)
      return path
    } catch (error) {
      shelf.shared.delete(key)
      await rm(path, { force: true })
      throw error
    }
  })
  shelf.shared.set(key, made)
  shelf.making = made.catch(() => undefined)
  return made
}

async function downloadOf(path: string): Promise<Download> {
  const { size } = await stat(path).catch((error: unknown) => {
    throw machineErrorFrom(error, 'read', path)
  })
  let given = 0
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>) {
      given += piece.length
      yield piece
    }
  }
  return { pieces: pieces(), part: () => (size === 0 ? 1 : given / size), remove: () => rm(path, { force: true }) }
}

async function nextPiece(shelf: Shelf, handle: string): Promise<DownloadPiece> {
  const one = shelf.open.get(handle)
  if (one === undefined)
    throw new ExpectedError('usage', 'file-not-open', 'That download was dropped; begin it once more.')
  const taken = one.turn.then(() => take(one))
  one.turn = taken
  try {
    const piece = await taken
    if (piece.last) await drop(shelf, handle)
    return piece
  } catch (error) {
    await drop(shelf, handle)
    throw error
  }
}

async function take({ pieces, part }: Open): Promise<DownloadPiece> {
  const parts: Uint8Array[] = []
  let bytes = 0
  let last = false
  while (bytes < PIECE_BYTES && !last) {
    const next = await pieces.next()
    if (next.done === true) last = true
    else {
      parts.push(next.value)
      bytes += next.value.length
    }
  }
  return { content: Buffer.concat(parts).toString('base64'), part: part(), last }
}

async function drop({ open }: Shelf, handle: string): Promise<void> {
  const found = open.get(handle)
  open.delete(handle)
  await found?.turn.catch(() => undefined)
  await found?.pieces.return(undefined)
  await found?.remove?.()
}
