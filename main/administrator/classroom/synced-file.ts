import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Adapter } from 'lowdb'

/**
 * A lowdb adapter for one JSON file: a write is a new file, synced, renamed over the old one, and the folder synced, so
 * that after any crash the file holds the old or the new text whole. lowdb's own adapter does not sync and shares one
 * temporary name.
 */
export function syncedFile<T>(path: string): Adapter<T> {
  return {
    async read() {
      try {
        return JSON.parse(await readFile(path, 'utf8')) as T
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    write: (data) => writeSynced(path, `${JSON.stringify(data, null, 2)}\n`),
  }
}

/** Replaces a file's content whole or not at all. Rejects with the system's error; the old file then still stands. */
export async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.new`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** Makes a renamed or created entry of a folder durable. Windows cannot open folders and needs no such thing. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
