import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from './durable.ts'
import { codeOf, MachineError, machineErrorFrom } from './machine-error.ts'

/** A database that nobody refers to is collected, and its lock with it: whoever drops a DataLock still holds it. */
const held = new Set<DatabaseSync>()

/** The right to write in a data folder. */
export interface DataLock {
  /** Gives it back. Idempotent. A process that dies gives it back too, however it dies. */
  release(): void
}

/**
 * Takes a data folder for this process, making the folder if need be. Throws MachineError: with code `ELOCKED` and the
 * other process's number when the folder is in use, otherwise with the reason why it cannot be written.
 *
 * The lock is SQLite's exclusive file lock, which the operating system drops with the process on Linux, macOS and Windows
 * alike; `holder.json` beside it only says who it is.
 */
export function lockData(dir: string): DataLock {
  const file = join(dir, 'lock')
  const holder = join(dir, 'holder.json')
  try {
    makeFolder(dir)
    // SQLite's own words for a folder that cannot be written name neither the folder nor the reason. A lock file that is
    // there is not opened: POSIX drops a process's locks on a file as soon as the process closes it anywhere.
    accessSync(dir, constants.W_OK)
    if (!existsSync(file)) writeFileSync(file, '', { flag: 'a' })
  } catch (error) {
    throw machineErrorFrom(error, 'write in the data folder', dir)
  }
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 0 })
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    writeFileSync(holder, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }))
  } catch (error) {
    database?.close()
    if (isBusy(error)) {
      throw new MachineError(`The data folder ${dir} is in use${whoHolds(holder)}.`, dir, 'ELOCKED')
    }
    if (codeOf(error) === 'ERR_SQLITE_ERROR') {
      const reason = error instanceof Error ? error.message : String(error)
      throw new MachineError(`Cannot lock the data folder ${dir}: ${reason} (${file}).`, file, 'ELOCK')
    }
    throw machineErrorFrom(error, 'write in the data folder', dir)
  }
  const locked = database
  held.add(locked)
  return {
    release() {
      if (!held.delete(locked)) return
      // First the note, then the lock: never remove the note of the next holder.
      rmSync(holder, { force: true })
      locked.close()
    },
  }
}

const sqliteBusy = 5

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
}

/** ` by process 4711 since 2026-11-20T06:00:00.000Z`, or nothing when the note cannot be read. */
function whoHolds(holder: string): string {
  try {
    const note: unknown = JSON.parse(readFileSync(holder, 'utf8'))
    if (typeof note !== 'object' || note === null || !('pid' in note) || !('since' in note)) return ''
    return Number.isSafeInteger(note.pid) ? ` by process ${String(note.pid)} since ${String(note.since)}` : ''
  } catch {
    return ''
  }
}
