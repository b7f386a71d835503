import { accessSync, constants, linkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import { makeFolder } from '../../histories/durable.ts'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'
import { renamedSync } from '../../histories/put-in-place.ts'

/** A file to be written. */
export interface OutFile {
  readonly path: string
  /** True: an existing file may be replaced. */
  readonly overwrite: boolean
  /** The mode of a new file; absent: the system's default. */
  readonly mode?: number
}

/**
 * Checks that a file can be written, before the work for its content is done. Throws ExpectedError 'conflict' if a file
 * exists that must not be replaced, 'usage' if the path is a folder, and MachineError.
 */
export function checkOutFile({ path, overwrite }: OutFile): void {
  const there = thingAt(path)
  if (there === 'folder') throw new ExpectedError('usage', 'file-unreadable', `${path} is a folder, not a file.`)
  if (there === 'file' && !overwrite)
    throw new ExpectedError('conflict', 'file-exists', `${path} already exists; use --overwrite to replace it.`)
  if (there === 'device') return
  writing(path, () => {
    accessSync(dirname(resolve(path)), constants.W_OK)
    // Some file systems, such as /proc, refuse files only when one is created.
    writeFileSync(temporaryFor(path), '', { flag: 'wx' })
    rmSync(temporaryFor(path))
  })
}

/** Writes a file atomically. Throws like `checkOutFile`. */
export function writeOutFile({ path, overwrite, mode = 0o666 }: OutFile, content: string | Uint8Array): void {
  if (thingAt(path) === 'device') return writing(path, () => writeFileSync(path, content))
  checkOutFile({ path, overwrite })
  const temporary = temporaryFor(path)
  try {
    writing(path, () => {
      writeFileSync(temporary, content, { flag: 'wx', mode })
      moveIntoPlace({ path, overwrite }, temporary)
    })
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Like `checkOutFile`, for a file that must not exist, in a folder that is created if necessary. */
export function checkNewFile(path: string): void {
  if (thingAt(path) !== null) throw new ExpectedError('conflict', 'file-exists', `${path} already exists.`)
  writing(path, () => makeFolder(dirname(resolve(path))))
  checkOutFile({ path, overwrite: false })
}

/** Like `writeOutFile`, for a file that must not exist. */
export function writeNewFile(path: string, content: string | Uint8Array, mode = 0o666): void {
  checkNewFile(path)
  writeOutFile({ path, overwrite: false, mode }, content)
}

/** Gives a complete file its name. Throws ExpectedError 'conflict' if there is a file that must not be replaced, and the system's error. */
export function moveIntoPlace({ path, overwrite }: OutFile, temporary: string): void {
  if (overwrite) renamedSync(temporary, path)
  else moveTo(path, temporary)
}

/** Like a rename that fails if the target exists. */
function moveTo(path: string, temporary: string): void {
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new ExpectedError('conflict', 'file-exists', `${path} already exists.`)
    // The file system has no hard links.
    renamedSync(temporary, path)
  }
}

/** Creates the folder of a file that is to be written, and those around it. Throws MachineError. */
export function makeFolderOf(path: string): void {
  writing(path, () => makeFolder(dirname(resolve(path))))
}

/** The path at which a file is written before it has its name. */
export function temporaryFor(path: string): string {
  return `${path}.${process.pid}.tmp`
}

/** Pipes and terminals count as devices: they have no content to lose. */
function thingAt(path: string): 'file' | 'folder' | 'device' | null {
  try {
    const there = statSync(path)
    return there.isDirectory() ? 'folder' : there.isFile() ? 'file' : 'device'
  } catch {
    // Writing will fail with the same error.
    return null
  }
}

function writing(path: string, how: () => void): void {
  try {
    how()
  } catch (error) {
    throw error instanceof ExpectedError ? error : machineErrorFrom(error, 'write', path)
  }
}
