import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Low } from 'lowdb'
import { classroom, type Classroom } from '../../contract/procedures/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { openKeys } from '../../histories/key-files.ts'
import type { SigningKey } from '../../histories/keys.ts'
import { lockData } from '../../histories/lock.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { syncedFile } from './synced-file.ts'

const EMPTY: Classroom = classroom.parse({ format: 'tartaglia-class/1', agents: [], contests: [] })

/** A data folder to which only this process may write. */
export interface ClassFolder {
  readonly folder: string
  readonly key: SigningKey
  /** The contents of `class.json`; each change replaces the whole value. */
  readonly content: Classroom
  /** True if there was no `class.json` when the folder was opened. */
  readonly fresh: boolean
  /**
   * Edits a copy of the content, writes it to disk and only then replaces the content. Changes run one after the other.
   * Rejects with what `edit` throws, or with MachineError; nothing is changed then.
   */
  change(edit: (content: Classroom) => void): Promise<void>
  /**
   * Runs tasks that store, reference or delete agents' packages one after the other, so that no package is deleted
   * between being stored and being referenced in the content.
   */
  inTurn<T>(task: () => Promise<T>): Promise<T>
  /** Waits for pending changes and releases the folder. */
  close(): Promise<void>
}

/**
 * Opens and locks a data folder, creating it and its signing key if necessary. Throws MachineError if it is in use or
 * cannot be written, and ExpectedError 'usage' with file and position if `class.json` is invalid; the file is then left
 * unchanged.
 */
export async function openClassFolder(data: string): Promise<ClassFolder> {
  const lock = lockData(data)
  try {
    const key = openKeys(join(data, 'keys'))
    const path = join(data, 'class.json')
    const fresh = !existsSync(path)
    const store = await read(data)
    let last: Promise<unknown> = Promise.resolve()
    let turn: Promise<unknown> = Promise.resolve()
    let closed = false

    const write = async (edit: (content: Classroom) => void): Promise<void> => {
      const before = store.data
      const next = structuredClone(before)
      edit(next)
      try {
        store.data = next
        await store.write()
      } catch (error) {
        store.data = before
        throw machineErrorFrom(error, 'write', path)
      }
    }
    return {
      folder: data,
      key,
      get content() {
        return store.data
      },
      fresh,
      async change(edit) {
        // Another process may have opened the folder in the meantime.
        if (closed) throw new ExpectedError('usage', 'classroom-closed', `The classroom ${data} has been closed.`)
        const done = last.then(() => write(edit))
        last = done.catch(() => undefined)
        return done
      },
      inTurn(task) {
        const done = turn.then(task)
        turn = done.catch(() => undefined)
        return done
      },
      async close() {
        await turn
        closed = true
        await last
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** The contents of a data folder's `class.json`, without locking the folder; a missing file is an empty class. */
export async function readClass(data: string): Promise<Classroom> {
  return (await read(data)).data
}

async function read(data: string): Promise<Low<Classroom>> {
  const store = new Low<Classroom>(syncedFile(join(data, 'class.json'), classroom), structuredClone(EMPTY))
  await store.read()
  return store
}
