import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import type { GameId } from '../../../contract/ids.ts'
import type { SimilarAgent } from '../../../contract/procedures/procedures.ts'
import { readBytes } from '../../files/read-file.ts'
import { chooseTier } from '../../machine/isolation.ts'
import { readText, readingJob } from '../../machine/reading.ts'
import { resources } from '../../machine/resources.ts'
import { componentsBeside } from '../../packages/component-files.ts'
import { AGENT_BYTES_MAX, readSubmission } from '../../packages/prepare.ts'
import { knownAgentFile } from '../named-agents.ts'
import { shippedAgents } from '../opponents.ts'
import { setImmediate as turn } from 'node:timers/promises'
import { codeTokens } from './code-tokens.ts'

/** The share of common code from which two agents are called similar. */
const SIMILAR = 0.3
/** The number of fingerprints that they must have in common: fewer are a matter of chance. */
const COMMON_MIN = 20
/** Shipped agents have code in common, so only those are listed that are about as similar as the most similar one. */
const NEAR = 0.1
const LISTED_MAX = 3
/** The shipped agent that kits build upon; what others have in common with it says nothing. */
const STARTER = 'baby'

interface KnownCode {
  /** The shipped agents, each with the fingerprints of its own code, which leave out the common ones. */
  readonly agents: readonly { readonly name: string; readonly own: Set<number> }[]
  /** The fingerprints of code that all may use: the starter with its libraries, and the kits. */
  readonly common: Set<number>
}

/** By game; the files do not change while the program runs. */
const known = new Map<GameId, Promise<KnownCode>>()

/**
 * The shipped agents of a game to which a script is similar, the most similar first. Depends on the script alone.
 * Rejects with the system's error if the shipped agents cannot be read.
 */
export async function similarAgents(game: GameId, script: Uint8Array): Promise<readonly SimilarAgent[]> {
  // Read here, because the reading process of a packaged app cannot read its archive.
  const shipped = await shippedAgents(game)
  const template = await readFile(join(resources.kits, 'agents', 'kits', game, 'javascript', 'agent.cjs')).catch(
    () => new Uint8Array(),
  )
  const agents = shipped.map(({ name, bytes }) => ({ name, bytes }))
  return readText(similarAgentsJob, { game, script, shipped: agents, template })
}

export const similarAgentsJob = readingJob<ScriptText, readonly SimilarAgent[]>({
  name: 'similar-agents',
  what: 'a script',
  result: z.array(z.strictObject({ name: z.string(), share: z.number() })),
  read: findSimilar,
})

interface ScriptText extends ShippedCode {
  readonly script: Uint8Array
}

/** The code that ships with a game. */
interface ShippedCode {
  readonly game: GameId
  readonly shipped: readonly { readonly name: string; readonly bytes: Uint8Array }[]
  /** The agent of the kit in JavaScript; empty if there is none. */
  readonly template: Uint8Array
}

async function findSimilar({ script, ...code }: ScriptText): Promise<readonly SimilarAgent[]> {
  const { agents, common } = await (known.get(code.game) ?? readKnown(code))
  const own = without(await fingerprintsOf(textOf(script)), common)
  const found = agents
    .map(({ name, own: theirs }) => ({ name, share: shareOf(own, theirs) }))
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

function readKnown(code: ShippedCode): Promise<KnownCode> {
  const reading = readAgents(code)
  known.set(code.game, reading)
  reading.catch(() => known.delete(code.game))
  return reading
}

async function readAgents({ shipped, template }: ShippedCode): Promise<KnownCode> {
  const prints = await Promise.all(
    shipped.map(async ({ name, bytes }) => ({ name, all: await fingerprintsOf(textOf(bytes)) })),
  )
  const starter = prints.find(({ name }) => name === STARTER)?.all ?? new Set<number>()
  const common = new Set([...starter, ...(await fingerprintsOf(textOf(template)))])
  const agents = prints.filter(({ name }) => name !== STARTER)
  return { common, agents: agents.map(({ name, all }) => ({ name, own: without(all, common) })) }
}

function without(all: Set<number>, others: ReadonlySet<number>): Set<number> {
  return new Set([...all].filter((print) => !others.has(print)))
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
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

/** The number of tokens that a fingerprint covers: what is shorter is too common to tell anything. */
const GRAM = 12
/** The number of successive fingerprints of which one is kept. Equal passages of GRAM + WINDOW - 1 tokens are found. */
const WINDOW = 4
/** The number of tokens after which other work gets its turn. */
const TOKENS_AT_ONCE = 100_000

const BASE = 0x01000193
/** BASE to the power of GRAM - 1: the weight of the oldest token. */
const OLDEST = Array.from({ length: GRAM - 1 }).reduce<number>((power) => Math.imul(power, BASE), 1)

/**
 * The fingerprints of a script by winnowing: of each window of successive hashes over its tokens, the smallest one, the
 * last of equal ones. Equal passages give equal fingerprints, wherever they are.
 */
export async function fingerprintsOf(code: string): Promise<Set<number>> {
  const found = new Set<number>()
  const grams = new Int32Array(GRAM)
  const window = new Uint32Array(WINDOW)
  let hash = 0
  let count = 0
  for (const token of codeTokens(code)) {
    const place = count % GRAM
    hash = (Math.imul(hash - Math.imul(grams[place]!, OLDEST), BASE) + token) | 0
    grams[place] = token
    count++
    const hashes = count - GRAM
    if (hashes >= 0) {
      window[hashes % WINDOW] = mixed(hash)
      if (hashes >= WINDOW - 1) found.add(smallest(window))
    }
    if (count % TOKENS_AT_ONCE === 0) await turn()
  }
  return found
}

function smallest(window: Uint32Array): number {
  let least = window[0]!
  for (const hash of window) if (hash < least) least = hash
  return least
}

/** Spreads a hash over all 32 bits, so that the smallest ones do not come from the smallest tokens. */
function mixed(hash: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return (mix ^ (mix >>> 16)) >>> 0
}
