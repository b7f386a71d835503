import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import * as z from 'zod'
import type { GameId } from '../../../contract/ids.ts'
import type { SimilarAgent } from '../../../contract/procedures/procedures.ts'
import { readBytes } from '../../files/read-file.ts'
import { chooseTier } from '../../machine/isolation.ts'
import { readText, readingJob } from '../../machine/reading.ts'
import { componentsBeside } from '../../packages/component-files.ts'
import { AGENT_BYTES_MAX, readSubmission } from '../../packages/prepare.ts'
import { knownAgentFile } from '../named-agents.ts'
import { fingerprintsOf } from './fingerprints.ts'
import { shippedPrints, without, type ShippedPrints } from './shipped-prints.ts'

/** The share of common code from which two agents are called similar. */
export const SIMILAR = 0.3
/** The number of fingerprints that they must have in common: fewer are a matter of chance. */
export const COMMON_MIN = 20
/** Shipped agents have code in common, so only those are listed that are about as similar as the most similar one. */
const NEAR = 0.1
const LISTED_MAX = 3

/**
 * The shipped agents of a game to which a script is similar, the most similar first. Depends on the script alone.
 * Rejects with the system's error if the shipped agents cannot be read.
 */
export async function similarAgents(
  game: GameId,
  script: GivenScript,
  signal?: AbortSignal,
): Promise<readonly SimilarAgent[]> {
  return readText(similarAgentsJob, { script, shipped: await shippedPrints(game) }, '', signal)
}

export const similarAgentsJob = readingJob<ScriptText, readonly SimilarAgent[]>({
  name: 'similar-agents',
  what: 'a script',
  result: z.array(z.strictObject({ name: z.string(), share: z.number() })),
  read: findSimilar,
})

/** A script, or the file that it is in. */
export type GivenScript = Uint8Array | { readonly file: string }

interface ScriptText {
  readonly script: GivenScript
  readonly shipped: ShippedPrints
}

async function findSimilar({ script, shipped }: ScriptText): Promise<readonly SimilarAgent[]> {
  const text = new TextDecoder().decode('file' in script ? await readFile(script.file) : script)
  const own = without(await fingerprintsOf(text), new Set(shipped.common))
  const found = shipped.agents
    .map(({ name, own: theirs }) => ({ name, share: shareOf(own, new Set(theirs)) }))
    .filter(({ share }) => share >= SIMILAR)
    .sort((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1))
  const best = found[0]?.share ?? 0
  return found.filter(({ share }) => share >= best - NEAR).slice(0, LISTED_MAX)
}

/** A sentence that names the similar agents; null: there are none. */
export function similarWords(similar: readonly SimilarAgent[]): string | null {
  if (similar.length === 0) return null
  const named = similar.map(({ name, share }) => `"${name}" (${Math.round(share * 100)} %)`)
  return `Its code is like that of ${named.join(', ')}, which ${similar.length === 1 ? 'ships' : 'ship'} with the game.`
}

/** The larger one of two shares: of the script that is the agent's code, and of the agent's code that is in the script. */
function shareOf(own: Set<number>, theirs: Set<number>): number {
  const both = own.size - without(own, theirs).size
  return both < COMMON_MIN ? 0 : both / Math.min(own.size, theirs.size)
}

/**
 * The shipped agents to which an agent's file is similar, as hand-in flags them; none for an agent that is not a script.
 * Throws ExpectedError 'usage' if the file is not an agent.
 */
export async function similarToFile({
  file,
  game,
}: {
  readonly file: string
  readonly game: GameId
}): Promise<readonly SimilarAgent[]> {
  const path = knownAgentFile(game, file)
  const fileName = basename(path)
  const content = await readBytes(path, AGENT_BYTES_MAX)
  const components = componentsBeside(dirname(path))
  const read = await readSubmission({
    fileName,
    content,
    game,
    isolation: () => chooseTier('none'),
    components,
    stored: true,
  })
  if (read.manifest.kind !== 'script') return []
  const { bytes } = typeof read.agent === 'function' ? await read.agent() : read.agent
  return similarAgents(game, bytes)
}
