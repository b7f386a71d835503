import { createHash, hash, randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { Sha256 } from '../../contract/ids.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { PRIVATE_FOLDER } from './private-files.ts'
import { syncFolderAside } from '../../histories/durable.ts'
import { writeSynced } from './synced-file.ts'
import { renamed } from '../../histories/put-in-place.ts'

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
  const agent = await hashInTurns(bytes)
  const path = storedAgentFile(data, agent, kind)
  const stored = await hashOfFile(path)
  const restored = stored !== null && stored !== agent
  if (stored === null || restored) {
    await mkdir(join(data, 'agents'), { recursive: true, mode: PRIVATE_FOLDER })
    if (source !== null) await writeSynced(sourceFile(data, agent), source)
    await writeSynced(path, bytes)
  }
  return { agent, restored }
}

/** An agent that another process has written into files of the data folder, which are renamed when it is stored. */
export interface WrittenAgent {
  readonly kind: AgentPackage['kind']
  readonly agent: Sha256
  /** The package. */
  readonly file: string
  /** The handed-in files, if the package was built from them. */
  readonly source: string | null
}

/** The names of the files of an agent that is being written; a crash leaves them, and no backup takes them. */
export function namesForWriting(data: string): { readonly file: string; readonly source: string } {
  const id = randomUUID()
  return {
    file: join(data, 'agents', `package.${id}.new`),
    source: join(data, 'agents', `source.${id}.new`),
  }
}

/** The answer of a process that has written an agent. The names of its files are those that it was given. */
export interface WritingReport extends Pick<WrittenAgent, 'kind' | 'agent'> {
  /** True if what was handed in was written, too. */
  readonly hasSource: boolean
}

/** Writes an agent into such files. Rejects with the system's error. */
export async function writeAgent(
  { kind, bytes }: AgentPackage,
  source: Uint8Array | null,
  names: { readonly file: string; readonly source: string },
): Promise<WritingReport> {
  await mkdir(dirname(names.file), { recursive: true, mode: PRIVATE_FOLDER })
  if (source !== null) await writeSynced(names.source, source)
  await writeSynced(names.file, bytes)
  return { kind, agent: hash('sha256', bytes), hasSource: source !== null }
}

/** Like `storeAgent`, for an agent that was written. */
export async function storeWritten(data: string, { kind, agent, file, source }: WrittenAgent): Promise<StoredAgent> {
  const path = storedAgentFile(data, agent, kind)
  const stored = await hashOfFile(path)
  const restored = stored !== null && stored !== agent
  if (stored === null || restored) {
    if (source !== null) await renamed(source, sourceFile(data, agent))
    await renamed(file, path)
    await syncFolderAside(dirname(path))
  } else for (const each of [file, ...(source === null ? [] : [source])]) await rm(each, { force: true })
  return { agent, restored }
}

/** A package of a data folder. */
export interface StoredCopy extends Pick<WrittenAgent, 'agent' | 'file'> {
  readonly kind: 'script' | 'program'
}

/** Like `storeAgent`, for the package of another data folder: its file is copied, without what was handed in. */
export async function storeCopy(data: string, { kind, agent, file }: StoredCopy): Promise<StoredAgent> {
  const names = namesForWriting(data)
  await mkdir(dirname(names.file), { recursive: true, mode: PRIVATE_FOLDER })
  try {
    await copyFile(file, names.file)
    return await storeWritten(data, { kind, agent, file: names.file, source: null })
  } finally {
    await rm(names.file, { force: true })
  }
}

/** Bytes that are hashed in one turn of the event loop: less than a millisecond. */
const TURN_BYTES = 1_048_576

/** The SHA-256 of many bytes, between other work of this process. */
async function hashInTurns(bytes: Uint8Array): Promise<Sha256> {
  if (bytes.length <= TURN_BYTES) return hash('sha256', bytes)
  const sum = createHash('sha256')
  for (let at = 0; at < bytes.length; at += TURN_BYTES) {
    sum.update(bytes.subarray(at, at + TURN_BYTES))
    await turn()
  }
  return sum.digest('hex')
}

/** The SHA-256 of a file; null: it cannot be read. */
async function hashOfFile(path: string): Promise<Sha256 | null> {
  const sum = createHash('sha256')
  try {
    for await (const piece of createReadStream(path, { highWaterMark: TURN_BYTES })) sum.update(piece as Buffer)
  } catch {
    return null
  }
  return sum.digest('hex')
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
  checkHash(data, agent, bytes === null ? null : await hashInTurns(bytes))
  return { kind, bytes: bytes! }
}

/** The file of a stored package, of which at most a megabyte is in memory at a time. Throws like `readAgent`. */
export async function checkAgentFile(
  data: string,
  agent: Sha256,
): Promise<Pick<AgentPackage, 'kind'> & { readonly file: string }> {
  const kind = storedAgentKind(data, agent)
  const file = storedAgentFile(data, agent, kind)
  checkHash(data, agent, await hashOfFile(file))
  return { kind, file }
}

/** found: the hash of the file; null: there is none. */
function checkHash(data: string, agent: Sha256, found: Sha256 | null): void {
  if (found === agent) return
  const where = join(data, 'agents')
  throw new ExpectedError(
    'host',
    'stored-file-damaged',
    `The package of an agent, version ${agent.slice(0, 8)}, ${found === null ? `is missing from ${where}` : `in ${where} was changed after it was handed in`}.`,
  )
}
