import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { readClass, type ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'

/** A class of an earlier year, with whose agents those of a class are compared. It is read alone. */
export interface EarlierClass extends Pick<ClassFolder, 'content' | 'folder'> {
  /** The name of its folder. */
  readonly name: string
}

/** The folder in a data folder for data folders of earlier years, and for backups of them. */
const EARLIER_FOLDER = 'earlier'
const CLASSES_MAX = 50

/** The earlier classes that the educator has put into the data folder, by name. Throws like `classesIn`. */
export async function earlierClasses(data: string): Promise<readonly EarlierClass[]> {
  const folder = join(data, EARLIER_FOLDER)
  return existsSync(folder) ? classesIn(folder) : []
}

/**
 * The class of a data folder or of a backup, or those of the folders in a folder, by name. Links are not followed. Throws ExpectedError
 * 'usage' if there is none or there are too many, and like `readClass`.
 */
export async function classesIn(folder: string): Promise<readonly EarlierClass[]> {
  const isClass = (path: string): boolean => existsSync(join(path, 'class.json'))
  if (isClass(folder)) return [await opened(folder)]
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = entries.filter((each) => each.isDirectory() && isClass(join(folder, each.name)))
  if (found.length === 0 && basename(folder) !== EARLIER_FOLDER)
    throw new ExpectedError('usage', 'data-folder-unknown', `${folder} has no data folder of a class.`)
  if (found.length > CLASSES_MAX)
    throw new ExpectedError('usage', 'limit-reached', `${folder} has more than ${CLASSES_MAX} classes.`)
  const names = found.map(({ name }) => name).sort()
  return Promise.all(names.map((name) => opened(join(folder, name))))
}

async function opened(folder: string): Promise<EarlierClass> {
  return { name: basename(resolve(folder)), folder, content: await readClass(folder) }
}

/** The earlier class with a name. Throws ExpectedError 'usage' if there is none. */
export function earlierClass(classes: readonly EarlierClass[], name: string): EarlierClass {
  const found = classes.find((each) => each.name === name)
  if (found === undefined)
    throw new ExpectedError('usage', 'data-folder-unknown', `There is no earlier class "${name}".`)
  return found
}
