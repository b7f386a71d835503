import { randomUUID } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { HistoryVerdict } from '../../contract/procedures.ts'
import { Trouble } from '../../contract/trouble.ts'
import { troubleOf } from '../../histories/trouble.ts'

/** A history that a person has opened from elsewhere. */
export interface OpenedFile {
  /** What it was called there. */
  readonly name: string
  /** The copy that is read. */
  readonly path: string
  readonly bytes: number
  /** null until it has been verified. The copy does not change, so its verdict does not either. */
  verdict: HistoryVerdict | null
}

/**
 * Copies of opened histories, outside the data folder and only as long as the classroom is open. On disk and not in memory,
 * so that workers read them and large ones cost nothing while nobody looks.
 */
export interface OpenedFiles {
  /**
   * Keeps a copy; gives the handle that it is known by from now on. Rejects with Trouble 'usage' where it is too large, with
   * HostTrouble, and as `content` does; nothing is left of it then.
   */
  add(fileName: string, content: AsyncIterable<Uint8Array>): Promise<string>
  /** Throws Trouble 'usage' where the handle is unknown or has had to make room. */
  get(handle: string): OpenedFile
  /** A path for a file of the moment; whoever asks removes it. */
  scratch(): Promise<string>
  close(): Promise<void>
}

/** Beyond either, the file that was opened first is forgotten. No single one may be larger. */
const FILES_MAX = 20
const GB = 1024 * 1024 * 1024

export function createOpenedFiles(most = GB): OpenedFiles {
  const files = new Map<string, OpenedFile>()
  let folder: Promise<string> | null = null

  const scratch = async (): Promise<string> => {
    folder ??= mkdtemp(join(tmpdir(), 'tartaglia-opened-'))
    return join(await folder, `${randomUUID()}.jsonl`)
  }

  const makeRoom = async (): Promise<void> => {
    const size = (): number => [...files.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    while (files.size > 1 && (files.size > FILES_MAX || size() > most)) {
      const [oldest] = files
      files.delete(oldest![0])
      await rm(oldest![1].path, { force: true })
    }
  }

  return {
    scratch,
    async add(fileName, content) {
      const path = await scratch().catch((error: unknown) => {
        throw troubleOf(error, 'make a folder in', tmpdir())
      })
      const bytes = await copyTo(path, content, most).catch(async (error: unknown) => {
        await rm(path, { force: true })
        throw error
      })
      if (bytes === null) {
        await rm(path, { force: true })
        throw new Trouble('usage', `${fileName} is larger than ${most / GB} GB, which is the most that can be opened.`)
      }
      const handle = basename(path, '.jsonl')
      files.set(handle, { name: fileName, path, bytes, verdict: null })
      await makeRoom()
      return handle
    },
    get(handle) {
      const file = files.get(handle)
      if (file === undefined) throw new Trouble('usage', 'That file is not open any more; open it again.')
      return file
    },
    async close() {
      files.clear()
      if (folder !== null) await rm(await folder, { recursive: true, force: true })
      folder = null
    },
  }
}

/** Writes a new file; gives its length, or null when it would be longer than `most`. */
async function copyTo(path: string, content: AsyncIterable<Uint8Array>, most: number): Promise<number | null> {
  const failed = (error: unknown): never => {
    throw troubleOf(error, 'write', path)
  }
  const file = await open(path, 'wx', 0o600).catch(failed)
  try {
    let bytes = 0
    for await (const piece of content) {
      bytes += piece.length
      if (bytes > most) return null
      for (let done = 0; done < piece.length;) done += (await file.write(piece, done).catch(failed)).bytesWritten
    }
    return bytes
  } finally {
    await file.close()
  }
}
