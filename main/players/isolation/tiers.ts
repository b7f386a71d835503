import type { IsolationTier } from '../../contract/limits.ts'
import { bubblewrap, sealed } from './bubblewrap.ts'
import {
  type CommonFolder,
  type Launch,
  type LaunchTier,
  dropPrefix,
  limitPrefix,
  nodeFlags,
  type LaunchOptions,
  permissionFlags,
} from './launch.ts'
import { findRuntime, findTools, isRoot } from './runtime.ts'
import { commonPath, entryTo } from './common-folder.ts'

/** A plain process: only the realm separates the agent from the machine. If we are root the agent runs as nobody. */
export const none: LaunchTier = (options) => direct(options, [])

/** Starts Node without a box. If setpriv exists (Linux), the kernel still ends the process with its parent. */
function direct(options: LaunchOptions, flags: readonly string[]): Launch | { readonly missing: string } {
  const { runtime, tools, memoryMb } = options
  const drop = dropPrefix(options)
  if (drop === undefined) return { missing: 'setpriv is not installed, and root must give up its privileges first' }
  const dieWithParent = tools.setpriv === undefined ? [] : [tools.setpriv, '--pdeathsig', 'KILL', '--']
  const node = [runtime.nodeBinary, ...nodeFlags(memoryMb), ...flags, runtime.hostFile]
  const [file, ...args] = [...drop, ...limitPrefix(options), ...dieWithParent, ...node]
  return { file: file!, args }
}

/** Node's permission model alone: no files, processes, workers or network, but signals to siblings are possible. */
export const permission: LaunchTier = (options) => direct(options, permissionFlags(options.runtime.hostFile))

/** Like `bubblewrap`, with a folder that the agents of the match share. */
const shared: LaunchTier = (options) => {
  const entry = entryTo(options.common, options)
  return 'missing' in entry ? entry : sealed(options, { entry, folder: commonPath })
}

const tiers: Readonly<Record<IsolationTier, LaunchTier>> = { bubblewrap, shared, permission, none }

/**
 * Returns how to start a process with this much memory, or a phrase that says why that is not possible here. `common`:
 * the shared folder of the match, for the tier `shared`.
 */
export type Launcher = (memoryMb: number, common?: CommonFolder) => Launch | { readonly missing: string }

/** Examines the machine once: tools, libraries, and where nobody can reach Node. Never rejects. */
export async function createLauncher(
  tier: IsolationTier,
  nodeBinary: string,
  hostFile: string,
  trusted = false,
): Promise<Launcher> {
  try {
    const [tools, runtime] = await Promise.all([findTools(), findRuntime(nodeBinary, hostFile)])
    const root = isRoot()
    return (memoryMb, common) => tiers[tier]({ runtime, tools, root, memoryMb, trusted, common })
  } catch (error) {
    const missing = error instanceof Error ? error.message : String(error)
    return () => ({ missing })
  }
}
