import { mkdtempSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { MARK, ownMark } from '../../histories/processes.ts'
import { isLeft } from './left-files.ts'
import { PRIVATE_FOLDER } from './private-files.ts'

// Temporary files of a class may have its names. They lie in the data folder, so that the next program that opens it after a kill finds and deletes them; those
// of a class that is only looked at lie in the system's folder, under the mark of their process.

/** The folder in a data folder for temporary files of the process that holds it. Its name is nobody else's: it is deleted. */
const SCRATCH = 'tartaglia-scratch'

/** A new folder for temporary files of an open class; the caller removes it. Rejects with MachineError. */
export async function scratchFolder(
  { folder, isReadOnly }: { readonly folder: string; readonly isReadOnly: boolean },
  purpose: string,
): Promise<string> {
  if (isReadOnly) return passingFolder(purpose)
  const base = join(folder, SCRATCH)
  try {
    await mkdir(base, { recursive: true, mode: PRIVATE_FOLDER })
    return await mkdtemp(join(base, `${purpose}-`))
  } catch (error) {
    throw machineErrorFrom(error, 'make a folder in', base)
  }
}

/** A new folder of this process in the system's folder for temporary files. Throws MachineError. */
export function passingFolder(purpose: string): string {
  try {
    return mkdtempSync(join(tmpdir(), `tartaglia-passing-${purpose}-${ownMark()}-`))
  } catch (error) {
    throw machineErrorFrom(error, 'make a folder in', tmpdir())
  }
}

/** Deletes what killed processes left in the scratch folder of a class that this process has just locked. */
export async function dropScratch(data: string): Promise<void> {
  await rm(join(data, SCRATCH), { recursive: true, force: true }).catch(() => undefined)
}

/** Removes the scratch folder of a class that is being closed, if nothing is in it. */
export async function endScratch(data: string): Promise<void> {
  await rmdir(join(data, SCRATCH)).catch(() => undefined)
}

const PASSING = new RegExp(`^tartaglia-passing-[a-z]+-(${MARK})-[A-Za-z0-9]{6}$`)

/** Deletes the folders of `passingFolder` whose processes have ended; those of other users stay. */
export async function dropPassing(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const mark = PASSING.exec(name)?.[1]
    const path = join(tmpdir(), name)
    if (mark !== undefined && (await isLeft(path, mark)))
      await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}
