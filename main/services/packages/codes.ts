import { resolve } from 'node:path'
import * as z from 'zod'
import { checkAgentFile, readAgent, storedAgentKind } from '../../administrator/classroom/agents.ts'
import type { ContestDescription } from '../../contract/contests/contests.ts'
import { agentManifest, HUMAN, NETWORK, type AgentManifest } from '../../contract/players/agents.ts'
import { toolchainName } from '../../contract/players/toolchains.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { readJsonText } from '../../contract/json-text.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { locateHost } from '../../players/web/address.ts'
import type { ProgramCode } from '../../worker/program-of-role.ts'
import type { AgentCode } from '../../worker/protocol.ts'
import { PackageProblem, type PackageFile } from './files.ts'
import { readTar } from './tar.ts'
import { readText, readingJob } from '../machine/reading.ts'
import { emptyFolder, makeFolder, unpack, unpackInto, type UnpackedFolder } from './unpacked.ts'
import { sentence } from '../../contract/sentence.ts'

/** A package that this machine can run. */
export interface RunnablePackage {
  readonly kind: 'script' | 'program'
  readonly bytes: Uint8Array
}

/** The agents of a contest in the form that workers need. */
export interface ContestAgents {
  readonly codes: ReadonlyMap<Sha256, AgentCode>
  /** Removes the programs' folders; call it when nothing runs in them any more. */
  remove(): Promise<void>
}

/**
 * Checks stored agents, unpacks programs and resolves the addresses of web applications, which must be among the
 * `allowed` ones. Throws ExpectedError 'host' if an agent is missing or was changed, 'usage' if an address is not
 * allowed.
 */
export async function loadAgents(
  data: string,
  { entrants }: Pick<ContestDescription, 'entrants'>,
  allowed: readonly string[],
): Promise<ContestAgents> {
  const codes = new Map<Sha256, AgentCode>()
  const unpacked: UnpackedFolder[] = []
  const remove = async (): Promise<void> => {
    for (const each of unpacked) await each.remove()
  }
  try {
    for (const { name, agent } of entrants) {
      if (codes.has(agent)) continue
      if (agent === HUMAN || agent === NETWORK) {
        codes.set(agent, { remote: agent === HUMAN ? 'human' : 'network' })
        continue
      }
      if (storedAgentKind(data, agent) === 'program') {
        codes.set(agent, await storedProgram(data, agent, unpacked))
        continue
      }
      const { kind, file } = await checkAgentFile(data, agent)
      if (kind === 'web') {
        const { bytes } = await readAgent(data, agent)
        codes.set(agent, await locateHost(addressOf(agent, bytes), allowed, `Entrant "${name}"`))
      } else codes.set(agent, { script: resolve(file) })
    }
    return { codes, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The code of a script or program, whose folder is added to `unpacked`. Throws ExpectedError 'host' if it is damaged. */
export async function codeOf(
  agent: Sha256,
  { kind, bytes }: RunnablePackage,
  unpacked: UnpackedFolder[],
): Promise<AgentCode> {
  if (kind === 'program') return programOf(agent, bytes, unpacked)
  // As in the original tools, invalid UTF-8 in scripts becomes replacement characters.
  return new TextDecoder().decode(bytes)
}

/** How a program is run, as its agent.json says it. */
type ProgramManner = Omit<ProgramCode, 'folder'>

interface UnpackOrder {
  readonly data: string
  readonly agent: Sha256
  readonly folder: string
}

/** Unpacks a stored program of a stranger into a folder, which contains nothing else afterwards. */
export const unpackJob = readingJob<UnpackOrder, ProgramManner>({
  name: 'unpack-program',
  what: 'a program',
  long: true,
  result: z.strictObject({
    command: z.union([z.array(z.string()), z.strictObject({ ofRole: z.record(z.string(), z.array(z.string())) })]),
    process: z.enum(['match', 'move']),
    toolchains: z.array(toolchainName),
  }),
  async read({ data, agent, folder }) {
    const { bytes } = await readAgent(data, agent)
    const { files, ...how } = programIn(agent, bytes)
    // A process that was killed at this job may have begun.
    await emptyFolder(folder)
    await unpackInto(folder, files)
    return how
  },
})

async function storedProgram(data: string, agent: Sha256, unpacked: UnpackedFolder[]): Promise<ProgramCode> {
  const folder = await makeFolder()
  unpacked.push(folder)
  return { folder: folder.folder, ...(await readText(unpackJob, { data, agent, folder: folder.folder })) }
}

async function programOf(agent: Sha256, bytes: Uint8Array, unpacked: UnpackedFolder[]): Promise<ProgramCode> {
  const { files, ...how } = programIn(agent, bytes)
  const folder = await unpack(files)
  unpacked.push(folder)
  return { folder: folder.folder, ...how }
}

/** The files of a stored program, and how it is run. Throws ExpectedError 'host' if it is damaged. */
function programIn(agent: Sha256, bytes: Uint8Array): ProgramManner & { readonly files: readonly PackageFile[] } {
  const files = readTar(bytes)
  if (files instanceof PackageProblem)
    throw new ExpectedError(
      'host',
      'stored-file-damaged',
      sentence(`The package ${agent} cannot be read: ${files.why}`),
    )
  const text = files.find(({ path }) => path === 'agent.json')?.bytes
  const { command: one, commands, process = 'match', toolchains = [] } = manifestIn(text) ?? {}
  const command = one ?? (commands === undefined ? undefined : { ofRole: commands })
  if (command === undefined)
    throw new ExpectedError('host', 'stored-file-damaged', `The package ${agent} names no command for its program.`)
  const named = (words: readonly string[]): readonly string[] => words.map((word) => asNamed(word, files))
  if ('ofRole' in command) {
    const ofRole = Object.fromEntries(Object.entries(command.ofRole).map(([role, words]) => [role, named(words)]))
    return { files, command: { ofRole }, process, toolchains }
  }
  return { files, command: named(command), process, toolchains }
}

/** A word of a command that names a file in the form that its name has in the package: some systems decompose letters. */
function asNamed(word: string, files: readonly PackageFile[]): string {
  const [composed, path] = [word.normalize(), word.replace(/^\.\//, '')]
  if (composed === word || files.some((file) => file.path === path)) return word
  return files.some((file) => file.path === composed.replace(/^\.\//, '')) ? composed : word
}

function addressOf(agent: Sha256, bytes: Uint8Array): string {
  const { address } = manifestIn(bytes) ?? {}
  if (address === undefined)
    throw new ExpectedError('host', 'stored-file-damaged', `The package ${agent} names no address of its application.`)
  return address
}

function manifestIn(text: Uint8Array | undefined): AgentManifest | null {
  const read = text === undefined ? null : readJsonText(new TextDecoder().decode(text), agentManifest)
  return read?.ok === true ? read.value : null
}
