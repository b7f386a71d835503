import { randomUUID } from 'node:crypto'
import { open, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Adapter } from 'lowdb'
import type * as z from 'zod'
import { readJsonText } from '../../contract/json-text.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { syncFolderAside } from '../../histories/durable.ts'
import { renamed } from '../../histories/put-in-place.ts'

/**
 * A lowdb adapter for one JSON file. A write creates a new file, syncs it, renames it over the old one and syncs the
 * folder, so that after any crash the file contains either the old or the new text. lowdb's own adapter does not sync
 * and shares one temporary name. A file that does not match the schema is refused with the position (ExpectedError
 * 'usage') and left unchanged.
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
      throw new ExpectedError(
        'usage',
        'json-invalid',
        `${path}:${read.line}:${read.column}: ${read.message}. The file was not changed.`,
      )
    },
    write: (data) => writeSynced(path, `${JSON.stringify(data, null, 2)}\n`),
  }
}

/** Decodes strictly: a replaced invalid byte would otherwise be written back to the file. */
function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ExpectedError('usage', 'not-utf8', `${path} is not UTF-8 text. The file was not changed.`)
  }
}

/** Recognizes the name of a temporary file of `writeSynced`, in use or left over from a crash. */
export function isBeingWritten(name: string): boolean {
  return /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.new$/.test(name)
}

/** Deletes the temporary files in a folder that a crash left there, with whatever they hold. Nobody else may write into it. */
export async function dropUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (isBeingWritten(name)) await rm(join(folder, name), { force: true }).catch(() => undefined)
}

/** Replaces a file atomically. Rejects with the system's error; the old file is then unchanged. */
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
    await renamed(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolderAside(dirname(path))
}
