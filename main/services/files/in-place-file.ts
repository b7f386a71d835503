import type { BigIntStats } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { ExpectedError } from '../../contract/expected-error.ts'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'

/** A local file that is read in place and may change meanwhile. */
export interface InPlaceFile {
  readonly bytes: number
  /**
   * Rejects with ExpectedError 'usage' if the file was moved, deleted or changed, with MachineError if that cannot be
   * determined.
   */
  same(): Promise<void>
}

/**
 * null: the file does not exist, cannot be read, or cannot be read twice, such as a pipe. `name`: its name in messages.
 */
export async function findInPlaceFile(path: string, name: string): Promise<InPlaceFile | null> {
  const before = await stat(path, { bigint: true }).catch(() => null)
  if (before?.isFile() !== true || !(await readable(path))) return null
  return {
    bytes: Number(before.size),
    async same() {
      const now = await stat(path, { bigint: true }).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw machineErrorFrom(error, 'read', path)
        throw new ExpectedError(
          'usage',
          'file-gone',
          `${name} has been moved or deleted since it was opened; open it again.`,
        )
      })
      if (!alike(before, now))
        throw new ExpectedError('usage', 'file-changed', `${name} has been changed since it was opened; open it again.`)
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
