import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Trouble } from '../../contract/trouble.ts'
import { troubleOf } from '../../histories/trouble.ts'

/** A history that a person has opened from elsewhere. */
export interface OpenedFile {
  /** What it was called there. */
  readonly name: string
  /** The copy that is read. */
  readonly path: string
  readonly bytes: number
}

/**
 * Copies of opened histories, outside the data folder and only as long as the classroom is open. On disk and not in memory,
 * so that workers read them and large ones cost nothing while nobody looks.
 */
export interface OpenedFiles {
  /** Keeps a copy; gives the handle that it is known by from now on. */
  add(fileName: string, content: Uint8Array): Promise<string>
  /** Throws Trouble 'usage' where the handle is unknown or has had to make room. */
  get(handle: string): OpenedFile
  /** A path for a file of the moment; whoever asks removes it. */
  scratch(): Promise<string>
  close(): Promise<void>
}

/** Beyond either, the file that was opened first is forgotten. */
const FILES_MAX = 20
const BYTES_MAX = 1024 * 1024 * 1024

export function createOpenedFiles(): OpenedFiles {
  const files = new Map<string, OpenedFile>()
  let folder: Promise<string> | null = null

  const scratch = async (): Promise<string> => {
    folder ??= mkdtemp(join(tmpdir(), 'tartaglia-opened-'))
    return join(await folder, `${randomUUID()}.jsonl`)
  }

  const makeRoom = async (): Promise<void> => {
    const size = (): number => [...files.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    while (files.size > 1 && (files.size > FILES_MAX || size() > BYTES_MAX)) {
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
      await writeFile(path, content, { mode: 0o600, flag: 'wx' }).catch(async (error: unknown) => {
        await rm(path, { force: true })
        throw troubleOf(error, 'write', path)
      })
      const handle = basename(path, '.jsonl')
      files.set(handle, { name: fileName, path, bytes: content.length })
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
