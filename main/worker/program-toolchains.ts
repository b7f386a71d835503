import type { IsolationTier } from '../contract/limits.ts'
import { toolchainOfCommand, type ToolchainName, type ToolchainVersions } from '../contract/players/toolchains.ts'
import type { ToolchainFolders } from '../players/isolation/declared-toolchains.ts'
import { findToolchains, programIdentity } from '../players/isolation/toolchain-versions.ts'
import type { AgentCode } from './protocol.ts'

/** By name and program, once this process has asked; null: not found. A worker plays in one tier. */
const known = new Map<string, Promise<string | null>>()

/**
 * The versions of the toolchains of programs, so that matches of two machines can be told apart: of the interpreters by which they are
 * started, and of those that their agent.json names, such as a compiler. A toolchain that is not found is left out. `declared`: the folders
 * with which the programs are started, although the declaration may have been edited since.
 */
export async function toolchainsOf(
  agents: readonly AgentCode[],
  tier: IsolationTier,
  declared: Promise<ToolchainFolders>,
): Promise<ToolchainVersions> {
  const names = new Set(agents.flatMap(namesOf))
  const versions = await Promise.all(
    [...names].map(async (name) => [name, await versionOf(name, tier, declared)] as const),
  )
  return Object.fromEntries(versions.filter(([, version]) => version !== null))
}

function namesOf(code: AgentCode): readonly ToolchainName[] {
  if (typeof code !== 'object' || !('command' in code)) return []
  const commands = 'ofRole' in code.command ? Object.values(code.command.ofRole) : [code.command]
  return [...(code.toolchains ?? []), ...commands.flatMap((command) => toolchainOfCommand(command) ?? [])]
}

async function versionOf(
  name: ToolchainName,
  tier: IsolationTier,
  declared: Promise<ToolchainFolders>,
): Promise<string | null> {
  const program = `${name} ${await programIdentity(name, declared)}`
  const before = known.get(program)
  if (before !== undefined) return before
  const asked = findToolchains(tier, process.execPath, { names: [name], declared }).then(
    ([found]) => found?.version ?? null,
    () => null,
  )
  known.set(program, asked)
  // A machine with much to do may answer the next time.
  void asked.then((version) => version === null && known.delete(program))
  return asked
}
