import { join } from 'node:path'
import {
  isStored,
  storeCopy,
  storedAgentFile,
  storeAgent,
  type StoredCopy,
} from '../../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { NETWORK } from '../../../contract/players/agents.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { GameId, Sha256 } from '../../../contract/ids.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import { machineErrorFrom } from '../../../histories/machine-error.ts'
import { withComponentsOfClass } from '../../components/class-components.ts'
import { foreignEntrant, foreignScriptJob } from '../../agents/foreign-scripts.ts'
import { storedFile } from '../../agents/handed-in-files.ts'
import { otherGameOf } from '../../agents/named-agents.ts'
import { isPinned, readPinned } from '../../agents/pinned-agents.ts'
import type { EnteredAgents } from '../../entries/entered-agents.ts'
import { readText } from '../../machine/reading.ts'
import { readAgentFile, type PreparedAgent } from '../../packages/prepare.ts'
import type { Manifests } from './new-contest.ts'
import type { ReadContest } from './contest-file.ts'

// The agents of a contest file.

/** An agent of a contest file: read, or the package of a data folder, which is copied without being read here. */
export type FileAgent = PreparedAgent | (Pick<PreparedAgent, 'manifest'> & { readonly stored: StoredCopy })

/**
 * Reads the agents before anything is written, so that a bad one has no effects. Each file is read once; agents are
 * made one at a time. `known`: the class, of which entrants may name agents by `NAME@HASH`. null: an agent on another
 * machine.
 */
export async function readAgents(
  { entrants, game }: ReadContest['written'],
  isolation: () => Promise<IsolationTier>,
  entered: EnteredAgents,
  known: Pick<ClassFolder, 'folder' | 'content'>,
): Promise<readonly (FileAgent | null)[]> {
  const read = new Map<string, FileAgent>()
  const agents: (FileAgent | null)[] = []
  for (const { name, agent: file, school, entries } of entrants) {
    if (school !== undefined || entries !== undefined) {
      const from = school === undefined ? { entries: entries! } : { school }
      agents.push(await checkedScript(name, game, await entered.read({ name, game, from })))
      continue
    }
    if (file === undefined) {
      agents.push(null)
      continue
    }
    const ofEntrant = (error: unknown): never => {
      throw error instanceof ExpectedError
        ? new ExpectedError(error.kind, error.code, `Entrant "${name}": ${error.message}`, error.details)
        : error
    }
    if (isPinned(file)) {
      agents.push(await checkedScript(name, game, await readPinned(known, file, game).catch(ofEntrant)))
      continue
    }
    const readBefore = read.get(file)
    if (readBefore !== undefined) {
      agents.push(readBefore)
      continue
    }
    const stored = await storedFile({ file, game }).catch(ofEntrant)
    if (stored !== null) {
      const { manifest, kind, agent, other, foreign } = stored
      if (other !== null) throw shipsWith(name, other, game)
      if (foreign !== null) throw foreignEntrant(name, foreign)
      const copied = { manifest, stored: { kind, agent, file } }
      read.set(file, copied)
      agents.push(copied)
      continue
    }
    const isKnown = (agent: Sha256): boolean => isStored(known.folder, agent)
    const { prepared: agent } = await withComponentsOfClass(known, isKnown, (components) =>
      readAgentFile(file, { game, isolation, components, builds: known.content.handInRules.builds }),
    ).catch(ofEntrant)
    const other = agent.agent.kind === 'script' ? otherGameOf(agent.agent.bytes, game) : null
    if (other !== null) throw shipsWith(name, other, game)
    await checkedScript(name, game, agent)
    read.set(file, agent)
    agents.push(agent)
  }
  return agents
}

/** The agent, unless it is a script of another game: throws ExpectedError 'usage', like `checkScripts`. */
async function checkedScript(name: string, game: GameId, prepared: PreparedAgent): Promise<PreparedAgent> {
  const { kind, bytes } = prepared.agent
  const foreign = kind === 'script' ? await readText(foreignScriptJob, { script: bytes, game }) : null
  if (foreign !== null) throw foreignEntrant(name, foreign)
  return prepared
}

const shipsWith = (name: string, other: GameId, game: GameId): ExpectedError =>
  new ExpectedError('usage', 'other-game', `Entrant "${name}" is an agent of ${other} and does not play ${game}.`)

/** The package that an agent is, read or in its file; null: an agent on another machine. */
export const isProgram = (agent: FileAgent | null): boolean =>
  agent !== null && ('stored' in agent ? agent.stored : agent.agent).kind === 'program'

/** The manifests of the agents by their hashes. `apart`: without their teams and policies. */
export function manifestsOf(
  { entrants }: ContestDescription,
  agents: readonly (Pick<PreparedAgent, 'manifest'> | null)[],
  apart = false,
): Manifests {
  return new Map(
    entrants.flatMap(({ agent }, at) => {
      const manifest = agents[at]?.manifest
      if (manifest === undefined) return []
      return [[agent, apart ? { ...manifest, team: undefined, policies: undefined } : manifest]]
    }),
  )
}

/** Stores the agents and returns the entrants as the class keeps them. */
export async function storedEntrants(
  { data, onNotice }: { readonly data: string; onNotice(text: string): void },
  written: ReadContest['written'],
  agents: readonly (FileAgent | null)[],
): Promise<ContestDescription['entrants']> {
  const hashes: Sha256[] = []
  for (const prepared of agents) {
    if (prepared === null) {
      hashes.push(NETWORK)
      continue
    }
    const { kind } = 'stored' in prepared ? prepared.stored : prepared.agent
    const storing =
      'stored' in prepared ? storeCopy(data, prepared.stored) : storeAgent(data, prepared.agent, prepared.source)
    const { agent, restored } = await storing.catch((error: unknown) => {
      throw machineErrorFrom(error, 'store an agent in', join(data, 'agents'))
    })
    if (restored) {
      onNotice(`${storedAgentFile(data, agent, kind)} had been changed since it was handed in; it was restored.`)
    }
    hashes.push(agent)
  }
  return written.entrants.map(({ name }, at) => ({ name, agent: hashes[at]! }))
}
