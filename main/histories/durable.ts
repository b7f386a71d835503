import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from './machine-error.ts'

/** Makes a new or renamed entry of a folder survive a power cut. Windows has no such call and needs none. */
export function syncFolder(dir: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(dir, 'r')
  try {
    fsyncSync(descriptor)
  } catch (error) {
    // Some file systems cannot sync a folder; there is nothing more to be done on them.
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Makes a folder and those above it, each surviving a power cut; nothing when it is there. Throws the system's error.
 * (Node's own recursive mkdir never returns where a file system answers ENOENT to every attempt, as /proc does.)
 */
export function makeFolder(dir: string, mode = 0o777): void {
  if (existsSync(dir)) {
    // Fails with the right code where it is a file.
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

/** Replaces a small file: after a crash it holds the old text or the new, never a part. Throws the system's error. */
export function writeFileDurably(file: string, text: string, mode: number): void {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    // What lies there is left over, or a link that somebody has planted: it is not written into.
    rmSync(temporary, { force: true })
    const descriptor = openSync(temporary, 'wx', mode)
    try {
      const bytes = Buffer.from(text)
      for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncFolder(dirname(file))
}
