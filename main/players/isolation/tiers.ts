import type { IsolationTier } from '../../contract/limits.ts'
import { bubblewrap } from './bubblewrap.ts'
import type { CommonFolder, Launch, LaunchTier } from './launch.ts'
import { none } from './none.ts'
import { permission } from './permission.ts'
import { findRuntime, findTools, isRoot } from './runtime.ts'
import { shared } from './shared.ts'

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
