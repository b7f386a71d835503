import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { dataLayout } from './layout.ts'

/** The modes of everything in a data folder: seeds, keys and agents' sources are for its owner only. */
export const PRIVATE_FILE = 0o600
export const PRIVATE_FOLDER = 0o700

/** Nothing else is touched: somebody may have chosen a folder that holds other things. */
const isOwn = (name: string): boolean => Object.hasOwn(dataLayout, name)

/**
 * Takes the rights of others from the files of a data folder, which older versions gave them, and from the folder itself if it
 * holds nothing else. Links are not followed. Errors are ignored: a file of somebody else stays as it is.
 */
export async function makePrivate(data: string): Promise<void> {
  // Windows has no such modes: a user's folders are private by their place.
  if (process.platform === 'win32') return
  const names = await readdir(data).catch(() => [])
  await Promise.all(names.filter(isOwn).map((name) => restrict(join(data, name))))
  if (names.every(isOwn)) await restrictOne(data)
}

async function restrict(path: string): Promise<void> {
  if ((await restrictOne(path)) !== 'folder') return
  for (const name of await readdir(path).catch(() => [])) await restrict(join(path, name))
}

/** Returns the kind of the file at a path; null: neither a file nor a folder. */
async function restrictOne(path: string): Promise<'file' | 'folder' | null> {
  const there = await lstat(path).catch(() => null)
  const kind = there?.isDirectory() === true ? 'folder' : there?.isFile() === true ? 'file' : null
  if (there === null || kind === null) return null
  const mode = kind === 'folder' ? PRIVATE_FOLDER : PRIVATE_FILE
  if ((there.mode & 0o7777) !== mode) await chmod(path, mode).catch(() => undefined)
  return kind
}
