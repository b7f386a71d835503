import type { IsolationTier } from '../../contract/limits.ts'
import { bubblewrap } from './bubblewrap.ts'
import type { CommonFolder, Launch, LaunchTier } from './launch.ts'
import { none } from './none.ts'
import { permission } from './permission.ts'
import { findRuntime, findTools, isRoot } from './runtime.ts'
import { shared } from './shared.ts'

const tiers: Readonly<Record<IsolationTier, LaunchTier>> = { bubblewrap, shared, permission, none }

/**
 * Says how to start a process with so much memory, or in words why that cannot be done here. `common`: what the agents of the
 * match have in common, which the tier `shared` wants.
 */
export type Launcher = (memoryMb: number, common?: CommonFolder) => Launch | { readonly missing: string }

/** Looks at the machine once: tools, libraries, and where nobody can reach Node. Never rejects. */
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
