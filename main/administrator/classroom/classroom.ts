import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Low } from 'lowdb'
import { classroom, type Classroom } from '../../contract/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { openKeys } from '../../histories/key-files.ts'
import type { SigningKey } from '../../histories/keys.ts'
import { lockData } from '../../histories/lock.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { syncedFile } from './synced-file.ts'

const EMPTY: Classroom = classroom.parse({ format: 'tartaglia-class/1', agents: [], contests: [] })

/** A data folder that this process alone may write in. */
export interface ClassFolder {
  readonly folder: string
  readonly key: SigningKey
  /** What `class.json` holds; replaced as a whole at each change. */
  readonly content: Classroom
  /** There was no `class.json`: nobody has worked here before. */
  readonly fresh: boolean
  /**
   * Edits a copy of the content, writes it to disk, and only then puts it in the content's place. One after the other.
   * Rejects with what `edit` throws, or with MachineError; nothing has changed then.
   */
  change(edit: (content: Classroom) => void): Promise<void>
  /**
   * Does what stores, names or deletes packages of agents, one after the other, so that no package is deleted between its being
   * stored and its being named in the content.
   */
  inTurn<T>(task: () => Promise<T>): Promise<T>
  /** Waits for changes under way and gives the folder back. */
  close(): Promise<void>
}

/**
 * Takes a data folder, making it and its signing key if need be. Throws MachineError when it is in use or cannot be written,
 * and ExpectedError 'usage' with file and place when `class.json` cannot be read as one; it then stays as it is.
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
        // The folder may be another's by now.
        if (closed) throw new ExpectedError('usage', `The classroom ${data} has been closed.`)
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

/** What `class.json` of a data folder holds, without taking the folder; a missing file is an empty class. */
export async function readClass(data: string): Promise<Classroom> {
  return (await read(data)).data
}

async function read(data: string): Promise<Low<Classroom>> {
  const store = new Low<Classroom>(syncedFile(join(data, 'class.json'), classroom), structuredClone(EMPTY))
  await store.read()
  return store
}
