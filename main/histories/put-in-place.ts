import { renameSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { codeOf } from './machine-error.ts'

/** Codes of Windows for a file that another process has open. */
const busy: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY'])

const TRIES = 11
const WAIT_MS = 100

/**
 * Renames a new database over the old one. Windows refuses that while a query reads the old one, so that it is tried for a second.
 * `mayStay`: the old one can be read, and stays if it is still open then: the call resolves to false. Rejects with the
 * system's error.
 */
export async function putInPlace(
  from: string,
  file: string,
  mayStay: boolean,
  move: (from: string, to: string) => Promise<void> = rename,
): Promise<boolean> {
  for (let tried = 1; ; tried++) {
    try {
      await move(from, file)
      return true
    } catch (error) {
      if (!busy.has(codeOf(error))) throw error
      if (tried === TRIES) {
        if (mayStay) return false
        throw error
      }
      await setTimeout(WAIT_MS)
    }
  }
}

/**
 * Renames a file, over an old one, or a folder. On Windows, where a search index or a scanner may hold a file of either for a moment, it is tried
 * for a second. Rejects with the system's error; nothing is changed then.
 */
export async function renamed(
  from: string,
  file: string,
  platform: NodeJS.Platform = process.platform,
  move: (from: string, to: string) => Promise<void> = rename,
): Promise<void> {
  if (platform === 'win32') await putInPlace(from, file, false, move)
  else await move(from, file)
}

/** As `renamed`, at once: on Windows, this thread stands still while it waits. */
export function renamedSync(
  from: string,
  file: string,
  platform: NodeJS.Platform = process.platform,
  move: (from: string, to: string) => void = renameSync,
): void {
  for (let tried = 1; ; tried++) {
    try {
      move(from, file)
      return
    } catch (error) {
      if (platform !== 'win32' || !busy.has(codeOf(error)) || tried === TRIES) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS)
    }
  }
}
