import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sha256 } from '../../contract/ids.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { PRIVATE_FOLDER } from './private-files.ts'
import { writeSynced } from './synced-file.ts'

/** An agent's package: a script's text, a program's files as a tar archive, or the agent.json of a web application. */
export interface AgentPackage {
  readonly kind: 'script' | 'program' | 'web'
  readonly bytes: Uint8Array
}

const endings = { script: 'js', program: 'tar', web: 'json' } as const

/** The path of an agent's package in a data folder, named by its SHA-256. */
export function storedAgentFile(data: string, agent: Sha256, kind: AgentPackage['kind']): string {
  return join(data, 'agents', `${agent}.${endings[kind]}`)
}

/** The kind of a stored agent; a missing one counts as a script. */
export function storedAgentKind(data: string, agent: Sha256): AgentPackage['kind'] {
  const stored = (['program', 'web'] as const).find((kind) => existsSync(storedAgentFile(data, agent, kind)))
  return stored ?? 'script'
}

/** True if the data folder has a package with this hash. */
export function isStored(data: string, agent: Sha256): boolean {
  return (Object.keys(endings) as readonly AgentPackage['kind'][]).some((kind) =>
    existsSync(storedAgentFile(data, agent, kind)),
  )
}

export interface StoredAgent {
  readonly agent: Sha256
  /** True if the stored file had been modified and was restored. */
  readonly restored: boolean
}

/**
 * Stores an agent under the hash of its bytes; storing it twice changes nothing. `source`: the handed-in file, if the
 * package was built from it; it is stored beside the package and never run.
 */
export async function storeAgent(
  data: string,
  { kind, bytes }: AgentPackage,
  source: Uint8Array | null = null,
): Promise<StoredAgent> {
  const agent = hash('sha256', bytes)
  const path = storedAgentFile(data, agent, kind)
  const stored = await readFile(path).catch(() => null)
  const restored = stored !== null && hash('sha256', stored) !== agent
  if (stored === null || restored) {
    await mkdir(join(data, 'agents'), { recursive: true, mode: PRIVATE_FOLDER })
    if (source !== null) await writeSynced(sourceFile(data, agent), source)
    await writeSynced(path, bytes)
  }
  return { agent, restored }
}

/** The path of a package as it was handed in: a zip or a .ts file. */
function sourceFile(data: string, agent: Sha256): string {
  return join(data, 'agents', `${agent}.source`)
}

/** The file that was handed in, if the package was built from it; null: it is the package. */
export async function readHandedIn(data: string, agent: Sha256): Promise<Uint8Array | null> {
  return readFile(sourceFile(data, agent)).catch(() => null)
}

/** Deletes agents' packages and the files from which they were built. */
export async function removeAgentFiles(data: string, agents: readonly Sha256[]): Promise<void> {
  const kinds = Object.keys(endings) as readonly AgentPackage['kind'][]
  for (const agent of agents) {
    for (const kind of kinds) await rm(storedAgentFile(data, agent, kind), { force: true })
    await rm(sourceFile(data, agent), { force: true })
  }
}

/** The stored package. Throws ExpectedError 'host' if it is missing or does not match its hash. */
export async function readAgent(data: string, agent: Sha256): Promise<AgentPackage> {
  const kind = storedAgentKind(data, agent)
  const path = storedAgentFile(data, agent, kind)
  const bytes = await readFile(path).catch(() => null)
  if (bytes === null)
    throw new ExpectedError(
      'host',
      'stored-file-damaged',
      `The package of an agent, version ${agent.slice(0, 8)}, is missing from ${join(data, 'agents')}.`,
    )
  if (hash('sha256', bytes) !== agent)
    throw new ExpectedError(
      'host',
      'stored-file-damaged',
      `The package of an agent, version ${agent.slice(0, 8)}, in ${join(data, 'agents')} was changed after it was handed in.`,
    )
  return { kind, bytes }
}
