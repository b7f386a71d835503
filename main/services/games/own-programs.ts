import { stat } from 'node:fs/promises'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import { createProgramHost, type ProgramHost } from '../../players/program-player.ts'
import { asTyped } from '../machine/as-typed.ts'
import { chooseTier } from '../machine/isolation.ts'
import { resources } from '../machine/resources.ts'

/**
 * A host for the programs of a single match. `isolation`: the weakest tier to accept; null: the programs are the person's own and
 * run like commands of that person. Throws ExpectedError, also if a program's folder does not exist.
 */
export async function openProgramHost(
  isolation: IsolationTier | null,
  programs: readonly { readonly folder: string }[],
): Promise<{ readonly host: ProgramHost; readonly tier: IsolationTier }> {
  for (const { folder } of programs) {
    const found = await stat(folder).catch(() => null)
    if (found?.isDirectory() !== true)
      throw new ExpectedError('usage', 'file-unreadable', `There is no folder ${folder} to run in.`)
  }
  const own = isolation === null
  const tier = own ? 'none' : await chooseTier(isolation, true)
  const { node: nodeBinary, spawner } = resources
  const host = createProgramHost({ tier, nodeBinary, spawner, ...(own ? { launcher: asTyped } : {}) })
  return { host, tier }
}
