import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from './durable.ts'
import { codeOf, MachineError, machineErrorFrom } from './machine-error.ts'

/**
 * Keeps databases from being garbage-collected, which would release the lock when a DataLock is no longer referenced.
 */
const held = new Set<DatabaseSync>()

/** The exclusive right to write to a data folder. */
export interface DataLock {
  /** Releases the lock. Idempotent. The lock is also released when the process exits for any reason. */
  release(): void
}

/**
 * Locks a data folder for this process, creating the folder if necessary. Throws MachineError: with code `data-folder-in-use` and
 * the other process's id if the folder is in use, otherwise with the reason why it cannot be written.
 *
 * The lock is SQLite's exclusive file lock, which the operating system releases with the process on Linux, macOS and
 * Windows; `holder.json` beside it only names the holder.
 */
export function lockData(dir: string): DataLock {
  const file = join(dir, 'lock')
  const holder = join(dir, 'holder.json')
  try {
    makeFolder(dir, 0o700)
    // Checked first because SQLite's message for a folder without write permission names neither folder nor reason. An
    // existing lock file is not opened: POSIX releases a process's locks on a file when the process closes any handle
    // of it.
    accessSync(dir, constants.W_OK)
    if (!existsSync(file)) writeFileSync(file, '', { flag: 'a', mode: 0o600 })
  } catch (error) {
    throw machineErrorFrom(error, 'write in the data folder', dir)
  }
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 0 })
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    writeFileSync(holder, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }), { mode: 0o600 })
  } catch (error) {
    database?.close()
    if (isBusy(error)) {
      throw new MachineError(
        `The data folder ${dir} is in use${whoHolds(holder)}: close the classroom that has it open, or choose another folder.`,
        dir,
        'data-folder-in-use',
      )
    }
    if (codeOf(error) === 'ERR_SQLITE_ERROR') {
      const reason = error instanceof Error ? error.message : String(error)
      throw new MachineError(
        `Cannot lock the data folder ${dir}: ${reason} (${file}).`,
        file,
        'data-folder-not-lockable',
      )
    }
    throw machineErrorFrom(error, 'write in the data folder', dir)
  }
  const locked = database
  held.add(locked)
  return {
    release() {
      if (!held.delete(locked)) return
      // Remove the note before releasing the lock, so that the next holder's note is never removed.
      try {
        rmSync(holder, { force: true })
      } finally {
        locked.close()
      }
    },
  }
}

const sqliteBusy = 5

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
}

/** ` by process 4711 since 2026-11-20T06:00:00.000Z`, or empty if the note cannot be read. */
function whoHolds(holder: string): string {
  try {
    const note: unknown = JSON.parse(readFileSync(holder, 'utf8'))
    if (typeof note !== 'object' || note === null || !('pid' in note) || !('since' in note)) return ''
    return Number.isSafeInteger(note.pid) ? ` by process ${String(note.pid)} since ${String(note.since)}` : ''
  } catch {
    return ''
  }
}
