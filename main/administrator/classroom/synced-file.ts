import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Adapter } from 'lowdb'
import type { z } from 'zod'
import { readJsonText } from '../../contract/json-text.ts'
import { ExpectedError } from '../../contract/expected-error.ts'

/**
 * A lowdb adapter for one JSON file: a write is a new file, synced, renamed over the old one, and the folder synced, so
 * that after any crash the file holds the old or the new text whole. lowdb's own adapter does not sync and shares one
 * temporary name. A file that is not what the schema says is refused with its place (ExpectedError 'usage') and stays as it is.
 */
export function syncedFile<T>(path: string, schema: z.ZodType<T>): Adapter<T> {
  return {
    async read() {
      const bytes = await readFile(path).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      })
      if (bytes === null) return null
      const read = readJsonText(textOf(path, bytes), schema)
      if (read.ok) return read.value
      throw new ExpectedError('usage', `${path}:${read.line}:${read.column}: ${read.message}. It was left as it is.`)
    },
    write: (data) => writeSynced(path, `${JSON.stringify(data, null, 2)}\n`),
  }
}

/** Strictly: a byte that is replaced here would be written back replaced. */
function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ExpectedError('usage', `${path} is not UTF-8 text. It was left as it is.`)
  }
}

/** Whether a file of this name is one that `writeSynced` is writing, or was when the program was ended. */
export function isBeingWritten(name: string): boolean {
  return /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.new$/.test(name)
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
