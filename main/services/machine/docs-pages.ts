import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, unlinkSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import * as z from 'zod'
import { ExpectedError } from '../../contract/expected-error.ts'
import { makeFolder } from '../../histories/durable.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { writeOutFile } from '../files/output-file.ts'
import { resources } from './resources.ts'

/** The documentation as a folder of pages. */
export interface ExportedDocs {
  readonly folder: string
  readonly pages: number
  readonly files: number
  readonly bytes: number
}

/** The list of its files that an export contains: a later one, of another version, removes those that it lacks. */
const LIST = 'documentation-files.json'
const listForm = z.strictObject({ documentation: z.literal('tartaglia'), files: z.array(z.string()) })

/**
 * Writes the documentation's pages into a folder, which is made if necessary; an earlier export there is replaced, also one of
 * another version. `files` and `bytes` are counted without the list of the files. Throws ExpectedError 'conflict' that names the first file there that is not of the documentation, before anything is written, and
 * MachineError.
 */
export function exportDocs(to: string, source = join(resources.renderer, 'help')): ExportedDocs {
  const folder = resolve(to)
  // Packed files are for browsers over a network; the package for npm has some in this form alone.
  const paths = [...new Set(filesBelow(source).map((path) => path.replace(/\.br$/, '')))]
  const former = listIn(folder)
  const foreign = foreignIn(folder, [...paths, ...former, LIST])
  if (foreign !== null)
    throw new ExpectedError(
      'conflict',
      'file-exists',
      isUnlistedExport(folder)
        ? `${folder} looks like an export of an older version, which kept no list of its files, and this version does not have ${foreign}: delete the folder if nothing in it is yours, or choose a new one.`
        : `${join(folder, foreign)} is not a page of the documentation: choose an empty or a new folder.`,
    )
  const gone = former.filter((path) => !paths.includes(path))
  make(folder)
  // An export that ends halfway is still known as one.
  writeList(folder, [...paths, ...gone])
  // Before anything is written: another name may differ in small letters alone.
  for (const path of gone) remove(folder, path)
  let bytes = 0
  for (const path of paths) {
    const whole = join(source, path)
    const content = existsSync(whole) ? readFileSync(whole) : brotliDecompressSync(readFileSync(`${whole}.br`))
    const file = join(folder, path)
    make(dirname(file))
    writeOutFile({ path: file, overwrite: true }, content)
    bytes += content.length
  }
  if (gone.length > 0) writeList(folder, paths)
  return { folder, pages: paths.filter((path) => path.endsWith('.html')).length, files: paths.length, bytes }
}

function make(folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    throw machineErrorFrom(error, 'make the folder', folder)
  }
}

/** The files that an earlier export in a folder has listed; empty without one. */
function listIn(folder: string): readonly string[] {
  const file = join(folder, LIST)
  try {
    if (!lstatSync(file).isFile()) return []
    return listForm.parse(JSON.parse(readFileSync(file, 'utf8'))).files.filter(isBelow)
  } catch {
    // Files that nobody can tell to be of an export are refused one by one.
    return []
  }
}

/** Files that every export has had. */
const always = ['index.html', 'search-texts.js']

/** True if a folder looks like an export of before there were lists of files. */
const isUnlistedExport = (folder: string): boolean =>
  !existsSync(join(folder, LIST)) && always.every((path) => existsSync(join(folder, path)))

/** True for a path with forward slashes that stays below a folder. */
const isBelow = (path: string): boolean =>
  !/[\\:\0]/.test(path) && path.split('/').every((part) => !['', '.', '..'].includes(part))

function writeList(folder: string, files: readonly string[]): void {
  const list: z.infer<typeof listForm> = { documentation: 'tartaglia', files: [...files] }
  writeOutFile({ path: join(folder, LIST), overwrite: true }, Buffer.from(`${JSON.stringify(list, null, 2)}\n`))
}

/** Deletes a file of an export, and folders that are empty then. `foreignIn` has found links nowhere on its path. */
function remove(folder: string, path: string): void {
  try {
    if (lstatSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true) unlinkSync(join(folder, path))
    for (let below = dirname(path); below !== '.'; below = dirname(below)) {
      if (!existsSync(join(folder, below)) || readdirSync(join(folder, below)).length > 0) return
      rmdirSync(join(folder, below))
    }
  } catch (error) {
    throw machineErrorFrom(error, 'delete', join(folder, path))
  }
}

/** The first thing in a folder that is not one of these files, or a folder of one; null: nothing is. Links are neither. */
function foreignIn(folder: string, paths: readonly string[]): string | null {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (!found.isDirectory()) throw new ExpectedError('conflict', 'file-exists', `${folder} is not a folder.`)
  const walk = (below: string): string | null => {
    for (const item of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = `${below}${item.name}`
      const isOurs = item.isDirectory()
        ? paths.some((each) => each.startsWith(`${path}/`))
        : item.isFile() && paths.includes(path)
      const foreign = isOurs ? (item.isDirectory() ? walk(`${path}/`) : null) : path
      if (foreign !== null) return foreign
    }
    return null
  }
  try {
    return walk('')
  } catch (error) {
    throw machineErrorFrom(error, 'read the folder', folder)
  }
}

/** The files below a folder by sorted paths with forward slashes. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((item) => !item.isDirectory())
    .map((item) => relative(folder, join(item.parentPath, item.name)).split(sep).join('/'))
    .toSorted()
}
