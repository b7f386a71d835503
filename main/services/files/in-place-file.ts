import type { BigIntStats } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { ExpectedError } from '../../contract/expected-error.ts'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'

/** A file of this machine that is read in place; it may be changed meanwhile. */
export interface LyingFile {
  readonly bytes: number
  /** Rejects with ExpectedError 'usage', in a sentence, where it is not the file that it was; with MachineError where none can tell. */
  same(): Promise<void>
}

/** null: it is not there, cannot be read, or not twice, as a pipe. `name`: what people call it. */
export async function lookAtFile(path: string, name: string): Promise<LyingFile | null> {
  const before = await stat(path, { bigint: true }).catch(() => null)
  if (before?.isFile() !== true || !(await readable(path))) return null
  return {
    bytes: Number(before.size),
    async same() {
      const now = await stat(path, { bigint: true }).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw machineErrorFrom(error, 'read', path)
        throw new ExpectedError('usage', `${name} has been moved or deleted since it was opened; open it again.`)
      })
      if (!alike(before, now))
        throw new ExpectedError('usage', `${name} has been changed since it was opened; open it again.`)
    },
  }
}

/** Ignores the change time of attributes, which some systems update on opening. */
function alike(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs
}

function readable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  )
}
