import { chmod, chown, lchown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { nobody } from '../../players/isolation/launch.ts'
import { isRoot, temporaryFolder } from '../../players/isolation/runtime.ts'
import type { PackageFile } from './files.ts'

/** A package's files in a folder that agents read and nobody writes. */
export interface UnpackedFolder {
  readonly folder: string
  /** Resolves when the folder has been removed. */
  remove(): Promise<void>
}

/** Writes files whose paths are safe (files.ts) into a fresh folder of the moment. Rejects with the system's error. */
export async function unpack(files: readonly PackageFile[]): Promise<UnpackedFolder> {
  const folder = await mkdtemp(join(await temporaryFolder(), 'tartaglia-agent-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    // Agents of root's run as nobody: they may enter, other users of the machine may not.
    if (isRoot()) {
      await chown(folder, 0, nobody)
      await chmod(folder, 0o750)
    }
    for (const { path, bytes } of files) {
      const file = join(folder, ...path.split('/'))
      await mkdir(dirname(file), { recursive: true, mode: 0o755 })
      await writeFile(file, bytes, { flag: 'wx', mode: 0o555 })
      // Whatever the umask is.
      await chmod(file, 0o555)
    }
    return { folder, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/**
 * As `unpack`, but that the agents' user owns the folder with all that is in it. Whoever has run a program there removes it as
 * that user: what lies in it then may be anything.
 */
export async function unpackToChange(files: readonly PackageFile[]): Promise<UnpackedFolder> {
  const unpacked = await unpack(files)
  const { folder, remove } = unpacked
  try {
    const below = await readdir(folder, { recursive: true })
    // The deepest first, the folder last: whoever else is the agents' user cannot put a link where root still has to change something.
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
