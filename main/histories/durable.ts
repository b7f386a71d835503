import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from './machine-error.ts'
import { renamedSync } from './put-in-place.ts'

/** Makes a new or renamed entry of a folder durable. Windows has no such call and does not need it. */
export function syncFolder(dir: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(dir, 'r')
  try {
    fsyncSync(descriptor)
  } catch (error) {
    ignoreUnsupported(error)
  } finally {
    closeSync(descriptor)
  }
}

/** The same for a caller that must not stand still meanwhile: a busy disk may take seconds. Rejects with the system's error. */
export async function syncFolderAside(dir: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(dir, 'r')
  try {
    await folder.sync().catch(ignoreUnsupported)
  } finally {
    await folder.close()
  }
}

/** Some file systems cannot sync a folder; that is ignored. Throws every other error. */
function ignoreUnsupported(error: unknown): void {
  if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error
}

/** Makes the content of a file durable. Rejects with the system's error. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Creates a folder and its missing parents durably; does nothing if it exists. Throws the system's error. (Node's
 * recursive mkdir never returns if the file system answers every attempt with ENOENT, as /proc does.)
 */
export function makeFolder(dir: string, mode = 0o777): void {
  if (existsSync(dir)) {
    // Throws the right error if it is a file.
    if (!statSync(dir).isDirectory()) readdirSync(dir)
    return
  }
  const parent = dirname(dir)
  if (parent !== dir) makeFolder(parent, mode)
  try {
    mkdirSync(dir, { mode })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  syncFolder(parent)
}

/** Replaces a small file atomically and durably. Throws the system's error. */
export function writeFileDurably(file: string, text: string, mode: number): void {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    // An existing file is a leftover or a planted link, so it is removed rather than written to.
    rmSync(temporary, { force: true })
    const descriptor = openSync(temporary, 'wx', mode)
    try {
      const bytes = Buffer.from(text)
      for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renamedSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncFolder(dirname(file))
}

/** Appends text to a file, which is created if it is missing, durably. Throws the system's error; a part may have been written then. */
export function appendDurably(path: string, text: string, mode: number): void {
  const isNew = !existsSync(path)
  const file = openSync(path, 'a', mode)
  try {
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  if (isNew) syncFolder(dirname(path))
}

/** Cuts a file off durably, after an append that failed; nothing happens if there is no such file. Throws the system's error. */
export function cutDurably(path: string, length: number): void {
  if (!existsSync(path)) return
  const file = openSync(path, 'r+')
  try {
    ftruncateSync(file, length)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
