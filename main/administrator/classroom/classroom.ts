import { existsSync } from 'node:fs'
import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Low } from 'lowdb'
import { namesState } from '../../contract/people/locked-names.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { openKeys } from '../../histories/key-files.ts'
import type { SigningKey } from '../../histories/keys.ts'
import { lockData } from '../../histories/lock.ts'
import { MachineError, machineErrorFrom } from '../../histories/machine-error.ts'
import { classFile, numberVersions } from './class-file.ts'
import { withForgottenNames, withoutNames } from './class-names.ts'
import { copiesOf, keepDayCopy } from './day-copies.ts'
import { finishDeletions } from './deletions.ts'
import { contestFolders, refreshRecords, writeRecords } from './entry-records.ts'
import { checkOpenFiles } from './open-files.ts'
import { checkLocked, dropOtherCopies, givenPassphrase, newLock, unlocked } from './name-lock.ts'
import { keepOlderClass } from './older-forms.ts'
import { makePrivate, PRIVATE_FILE } from './private-files.ts'
import { loadClass } from './recovered-class.ts'
import { dropPassing, dropScratch, endScratch } from './scratch.ts'
import { dropUnfinished } from './synced-file.ts'

/** A data folder to which only this process may write, or one that is open to look at. */
export interface ClassFolder {
  readonly folder: string
  /** True: the folder is open to look at, nothing may be written in it, and `change` and `inTurn` reject (`openClassToLookAt`). */
  readonly isReadOnly: boolean
  readonly key: SigningKey
  /** The contents of `class.json`; each change replaces the whole value. */
  readonly content: Classroom
  /** True if there was nothing of a class in the folder when it was opened. */
  readonly fresh: boolean
  /** Sentences for people about everything that was recovered or lost when the folder was opened; usually none. */
  readonly notices: readonly string[]
  /**
   * Edits a copy of the content, writes it to disk and only then replaces the content. Changes run one after the other.
   * Rejects with what `edit` throws, with `names-locked` if it concerns the people of a locked class, or with MachineError; nothing is
   * changed then.
   */
  change(edit: (content: Classroom) => void): Promise<void>
  /**
   * Runs tasks that store, reference or delete agents' packages one after the other, so that no package is deleted
   * between being stored and being referenced in the content.
   */
  inTurn<T>(task: () => Promise<T>): Promise<T>
  /** Like `inTurn`, for a task that copies records: no change is written until it is done. The task itself must change nothing. */
  atRest<T>(task: () => Promise<T>): Promise<T>
  /** Puts the names of a locked class in their places, in memory alone. Rejects with ExpectedError `passphrase-wrong`, `names-damaged`. */
  unlock(passphrase: string): Promise<void>
  /**
   * Sets, changes or, with null, removes the passphrase of the names, and deletes the copies of former days, which have them otherwise. `present`:
   * the passphrase until now; null: there is none. Rejects like `unlock`, with `passphrase-short`, or with MachineError.
   */
  setPassphrase(present: string | null, next: string | null): Promise<void>
  /**
   * Goes on without the names of a locked class (`withForgottenNames`). The copies of former days keep those that are in them, encrypted, until
   * `setPassphrase` or the erasing of a person deletes the copies. Rejects with `names-not-locked`, or with MachineError; nothing is changed then.
   */
  forgetNames(): Promise<void>
  /** Waits for pending changes and releases the folder. */
  close(): Promise<void>
}

/** An open data folder. */
interface OpenFolder {
  readonly data: string
  readonly store: Low<Classroom>
  /** Settled when the last change is done. */
  last: Promise<unknown>
  /** Settled when the last task is done. */
  turn: Promise<unknown>
  closed: boolean
}

/**
 * Opens and locks a data folder, creating it and its signing key if necessary. Throws MachineError if it is in use or
 * cannot be written, and ExpectedError 'usage' with file, position and next step if `class.json` is invalid; the file is then
 * left unchanged. If it is gone or older than the contests and agents beside it, the class is rebuilt, see `loadClass`. Names behind a passphrase are
 * unlocked with the `given` one; if it is another, they stay locked, with a notice.
 */
export async function openClassFolder(data: string, given = givenPassphrase): Promise<ClassFolder> {
  checkOpenFiles()
  const lock = lockData(data)
  try {
    for (const part of ['.', 'class-copies', 'class-records/contests', 'class-records/versions'])
      await dropUnfinished(join(data, part))
    await dropScratch(data)
    await dropPassing()
    await checkKey(data)
    const key = openKeys(join(data, 'keys'))
    const { content, fresh, recovered, notices } = await loadClass(data)
    await keepOlderClass(data)
    await makePrivate(data)
    const store = new Low<Classroom>(classFile(data), content)
    const folder: OpenFolder = { data, store, last: Promise.resolve(), turn: Promise.resolve(), closed: false }
    if (recovered) {
      await write(folder, () => undefined)
      await keepNotices(data, notices)
    }
    await finishDeletions(data, store.data)
    if (!fresh) await refreshRecords(data, store.data)
    await dropOtherCopies(data, store.data)
    const named = await withGiven(store.data, given)
    store.data = named.content
    const afterLast = async <T>(work: () => Promise<T>): Promise<T> => {
      // Another process may have opened the folder in the meantime.
      if (folder.closed) throw new ExpectedError('usage', 'classroom-closed', `The classroom ${data} has been closed.`)
      const done = folder.last.then(work)
      folder.last = done.catch(() => undefined)
      return done
    }
    const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
      const done = folder.turn.then(task)
      folder.turn = done.catch(() => undefined)
      return done
    }
    return {
      folder: data,
      isReadOnly: false,
      key,
      get content() {
        return store.data
      },
      fresh,
      get notices() {
        return namesState(store.data) === 'locked' ? [...notices, ...named.notices] : notices
      },
      change: (edit) => afterLast(() => write(folder, edit)),
      unlock: (passphrase) =>
        afterLast(async () => {
          store.data = await unlocked(store.data, passphrase)
        }),
      setPassphrase: (present, next) => afterLast(() => changeLock(folder, present, next)),
      forgetNames: () => afterLast(() => forgetNames(folder)),
      inTurn,
      atRest: (task) =>
        inTurn(() =>
          afterLast(async () => {
            // The caller that waited for the last change goes on first, as with the password of a person that was added.
            await setImmediate()
            return task()
          }),
        ),
      async close() {
        await folder.turn
        folder.closed = true
        await folder.last
        await endScratch(data)
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function write({ data, store }: OpenFolder, edit: (content: Classroom) => void): Promise<void> {
  const before = store.data
  const next = structuredClone(before)
  edit(next)
  next.revision = before.revision + 1
  numberVersions(next.agents)
  checkLocked(before, next)
  // Without room for a copy, the class can still be changed.
  await keepDayCopy(data, new Date()).catch(() => undefined)
  try {
    store.data = next
    await store.write()
  } catch (error) {
    store.data = before
    throw machineErrorFrom(error, 'write', join(data, 'class.json'))
  }
  await writeRecords(data, recordable(before), recordable(next))
}

/** A class as its records may show it. */
const recordable = (content: Classroom): Classroom => (content.names === undefined ? content : withoutNames(content))

async function forgetNames(folder: OpenFolder): Promise<void> {
  const { store } = folder
  const before = store.data
  if (namesState(before) !== 'locked')
    throw new ExpectedError(
      'conflict',
      'names-not-locked',
      'The names of this class are not locked: with its passphrase, remove that instead.',
    )
  try {
    store.data = withForgottenNames(before)
    await write(folder, () => undefined)
  } catch (error) {
    store.data = before
    throw error
  }
}

async function changeLock(folder: OpenFolder, present: string | null, next: string | null): Promise<void> {
  const { data, store } = folder
  store.data = await unlocked(store.data, present ?? '')
  const names = next === null ? null : await newLock(next)
  await write(folder, (content) => {
    delete content.names
    if (names !== null) content.names = names
  })
  try {
    await rm(copiesOf(data), { recursive: true, force: true })
    await keepDayCopy(data, new Date())
  } catch (error) {
    throw machineErrorFrom(error, 'renew the copies in', copiesOf(data))
  }
}

/**
 * A class with its names, if this process was given the passphrase. With a wrong one, or a file that cannot be read, it stays locked, and a notice
 * says why: contests and backups need no names.
 */
export async function withGiven(
  content: Classroom,
  given = givenPassphrase,
): Promise<{ readonly content: Classroom; readonly notices: readonly string[] }> {
  if (content.names === undefined) return { content, notices: [] }
  try {
    const passphrase = given()
    return { content: passphrase === null ? content : await unlocked(content, passphrase), notices: [] }
  } catch (error) {
    if (!(error instanceof ExpectedError) && !(error instanceof MachineError)) throw error
    return { content, notices: [`The names stay locked. ${error.message}`] }
  }
}

/** Adds what was recovered to `recovered.txt`, where it can be read later. Nothing depends on it. */
async function keepNotices(data: string, notices: readonly string[]): Promise<void> {
  const text = notices.map((notice) => `${new Date().toISOString()} ${notice}\n`).join('')
  await appendFile(join(data, 'recovered.txt'), text, { mode: PRIVATE_FILE }).catch(() => undefined)
}

/** Throws MachineError if there are contests but no key: with a new one, nothing of them would verify. */
async function checkKey(data: string): Promise<void> {
  const file = join(data, 'keys', 'class.pem')
  if (existsSync(file) || (await contestFolders(data)).length === 0) return
  const help = `restore it from a backup, or move ${join(data, 'contests')} away to begin with a new key`
  throw new MachineError(
    `${file} is missing although there are contests that were signed with it: ${help}.`,
    file,
    'signing-key-damaged',
  )
}

/**
 * The class of a data folder as it is on disk, without locking the folder or writing in it; an empty folder is an empty class.
 * Throws like `openClassFolder`.
 */
export async function readClass(data: string): Promise<Classroom> {
  return (await withGiven((await loadClass(data)).content)).content
}
