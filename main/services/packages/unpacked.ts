import { chmod, chown, lchown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { nobody } from '../../players/isolation/launch.ts'
import { isRoot, temporaryFolder } from '../../players/isolation/runtime.ts'
import type { PackageFile } from './files.ts'

/** A package's files in a folder that agents can read but not write. */
export interface UnpackedFolder {
  readonly folder: string
  /** Resolves when the folder has been removed. */
  remove(): Promise<void>
}

/** Writes files with safe paths (files.ts) to a new temporary folder. Rejects with the system's error. */
export async function unpack(files: readonly PackageFile[]): Promise<UnpackedFolder> {
  const unpacked = await makeFolder()
  try {
    await unpackInto(unpacked.folder, files)
    return unpacked
  } catch (error) {
    await unpacked.remove()
    throw error
  }
}

/** Makes an empty temporary folder for a package. Rejects with the system's error. */
export async function makeFolder(): Promise<UnpackedFolder> {
  const folder = await mkdtemp(join(await temporaryFolder(), 'tartaglia-agent-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    // If this process is root, agents run as nobody: that user may enter, others of the machine may not.
    if (isRoot()) {
      await chown(folder, 0, nobody)
      await chmod(folder, 0o750)
    }
    return { folder, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Writes files with safe paths into such a folder. Rejects with the system's error. */
export async function unpackInto(folder: string, files: readonly PackageFile[]): Promise<void> {
  for (const { path, bytes } of files) {
    const file = join(folder, ...path.split('/'))
    await mkdir(dirname(file), { recursive: true, mode: 0o755 })
    await writeFile(file, bytes, { flag: 'wx', mode: 0o555 })
    // Independent of the umask.
    await chmod(file, 0o555)
  }
}

/** Removes what a killed process has left in such a folder. Rejects with the system's error. */
export async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
}

/**
 * Like `unpack`, but the agents' user owns the folder and its contents. Remove it as that user after a program has run
 * there, because the program may have left anything in it.
 */
export async function unpackToChange(files: readonly PackageFile[]): Promise<UnpackedFolder> {
  const unpacked = await unpack(files)
  const { folder, remove } = unpacked
  try {
    const below = await readdir(folder, { recursive: true })
    // Deepest first, the folder last: otherwise another process of the agents' user could plant a link where root still
    // changes something.
    for (const name of below.toReversed()) {
      const path = join(folder, name)
      await chmod(path, 0o755)
      if (isRoot()) await lchown(path, nobody, nobody)
    }
    await chmod(folder, 0o700)
    if (isRoot()) await lchown(folder, nobody, nobody)
    return unpacked
  } catch (error) {
    await remove()
    throw error
  }
}
