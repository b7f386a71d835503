import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isLeft } from '../../administrator/classroom/left-files.ts'
import { PRIVATE_FOLDER } from '../../administrator/classroom/private-files.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { makeFolder, syncFolder } from '../../histories/durable.ts'
import { codeOf, machineErrorOf } from '../../histories/machine-error.ts'
import { MARK, ownMark } from '../../histories/processes.ts'
import { renamed } from '../../histories/put-in-place.ts'

/**
 * Makes a data folder at a place that is empty or does not exist: `make` fills a folder beside it, which then gets its name. If `make` rejects, the
 * place is as it was. Rejects with its error, with ExpectedError 'conflict' if something is at the place, and with MachineError.
 */
export async function inNewFolder<T>(data: string, make: (growing: string) => Promise<T>): Promise<T> {
  const folder = resolve(data)
  const growing = join(dirname(folder), `.import-${ownMark()}-${randomUUID()}.new`)
  await requireEmpty(folder)
  await dropUnmade(dirname(folder))
  try {
    makeFolder(dirname(folder))
    await mkdir(growing, { mode: PRIVATE_FOLDER })
    const made = await make(growing)
    await requireEmpty(folder)
    await rmdir(folder).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
    })
    await renamed(growing, folder)
    syncFolder(dirname(folder))
    return made
  } catch (error) {
    throw machineErrorOf(error, folder) ?? error
  } finally {
    await rm(growing, { recursive: true, force: true })
  }
}

const UNMADE = new RegExp(`^\\.import-(${MARK})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.new$`)

/** Deletes the classes in a folder that killed processes were making: they have names of people, and belong to nobody. */
export async function dropUnmade(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const mark = UNMADE.exec(name)?.[1]
    const path = join(folder, name)
    if (mark !== undefined && (await isLeft(path, mark)))
      await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Throws ExpectedError 'conflict' unless nothing is at a path, or an empty folder. */
async function requireEmpty(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => null)
  if (found === null) return
  if (found.isDirectory() && (await readdir(folder)).length === 0) return
  throw new ExpectedError(
    'conflict',
    'data-folder-not-empty',
    `${folder} is not an empty folder: a class is made in a new one, and never added to another.`,
  )
}
