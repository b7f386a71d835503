import { readAgent } from '../../administrator/classroom/agents.ts'
import type { ContestDescription } from '../../contract/contests.ts'
import { agentManifest } from '../../contract/agents.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { readJsonText } from '../../contract/json-text.ts'
import { Trouble } from '../../contract/trouble.ts'
import type { Program } from '../../players/program-player.ts'
import type { AgentCode } from '../../worker/protocol.ts'
import { readTar } from './tar.ts'
import { unpack, type UnpackedFolder } from './unpacked.ts'

/** The agents of a contest as workers want them. */
export interface ContestAgents {
  readonly codes: ReadonlyMap<Sha256, AgentCode>
  /** Removes the programs' folders: nothing may run in them any more. */
  remove(): Promise<void>
}

/** Reads stored agents, and unpacks the programs among them. Throws Trouble 'host' where one is missing or was changed. */
export async function loadAgents(data: string, { entrants }: ContestDescription): Promise<ContestAgents> {
  const codes = new Map<Sha256, AgentCode>()
  const unpacked: UnpackedFolder[] = []
  const remove = async (): Promise<void> => {
    for (const each of unpacked) await each.remove()
  }
  try {
    for (const { agent } of entrants) {
      if (codes.has(agent)) continue
      const { kind, bytes } = await readAgent(data, agent)
      // Scripts are read as the original tools read them: bad bytes become replacement characters.
      codes.set(agent, kind === 'script' ? new TextDecoder().decode(bytes) : await programOf(agent, bytes, unpacked))
    }
    return { codes, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function programOf(agent: Sha256, bytes: Uint8Array, unpacked: UnpackedFolder[]): Promise<Program> {
  const files = readTar(bytes)
  if (typeof files === 'string') throw new Trouble('host', `The package ${agent} cannot be read: ${files}.`)
  const text = files.find(({ path }) => path === 'agent.json')?.bytes
  const read = text === undefined ? null : readJsonText(new TextDecoder().decode(text), agentManifest)
  if (read?.ok !== true || read.value.command === undefined) {
    throw new Trouble('host', `The package ${agent} does not say how its program is run.`)
  }
  const { command, process = 'match' } = read.value
  const folder = await unpack(files)
  unpacked.push(folder)
  return { folder: folder.folder, command, process }
}
