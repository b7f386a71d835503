import { readFile, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import type { GameId } from '../../../contract/ids.ts'
import type { SimilarAgent } from '../../../contract/procedures/procedures.ts'
import { readBytes } from '../../files/read-file.ts'
import { chooseTier } from '../../machine/isolation.ts'
import { readText, readingJob } from '../../machine/reading.ts'
import { componentsBeside } from '../../packages/component-files.ts'
import { AGENT_BYTES_MAX, readSubmission } from '../../packages/prepare.ts'
import { knownAgentFile } from '../named-agents.ts'
import { shippedAgents } from '../opponents.ts'
import { fingerprintsOf } from './fingerprints.ts'
import { type CodeFile, codeFile } from './source-code.ts'
import { resources } from '../../machine/resources.ts'

/** The share of common code from which two agents are called similar. */
export const SIMILAR = 0.3
/** The number of fingerprints that they must have in common: fewer are a matter of chance. */
export const COMMON_MIN = 20
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
export async function similarAgents(game: GameId, script: GivenScript): Promise<readonly SimilarAgent[]> {
  return readText(similarAgentsJob, { script, ...(await shippedCode(game)) })
}

/** Read in the main process, because the reading process of a packaged app cannot read its archive. */
export async function shippedCode(game: GameId): Promise<ShippedCode> {
  const [shipped, kits] = await Promise.all([shippedAgents(game), kitCode(game)])
  return { game, shipped: shipped.map(({ name, bytes }) => ({ name, bytes })), kits }
}

export const similarAgentsJob = readingJob<ScriptText, readonly SimilarAgent[]>({
  name: 'similar-agents',
  what: 'a script',
  result: z.array(z.strictObject({ name: z.string(), share: z.number() })),
  read: findSimilar,
})

/** A script, or the file that it is in. */
export type GivenScript = Uint8Array | { readonly file: string }

interface ScriptText extends ShippedCode {
  readonly script: GivenScript
}

/** The code that ships with a game. */
export interface ShippedCode {
  readonly game: GameId
  readonly shipped: readonly { readonly name: string; readonly bytes: Uint8Array }[]
  /** The code of its kits; see `kitCode`. */
  readonly kits: readonly CodeFile[]
}

async function findSimilar({ script, ...code }: ScriptText): Promise<readonly SimilarAgent[]> {
  const { agents, common } = await knownCode(code)
  const own = without(await fingerprintsOf(textOf('file' in script ? await readFile(script.file) : script)), common)
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

/** The code of a game's shipped agents and kits, which is read once. */
export const knownCode = (code: ShippedCode): Promise<KnownCode> => known.get(code.game) ?? readKnown(code)

function readKnown(code: ShippedCode): Promise<KnownCode> {
  const reading = readAgents(code)
  known.set(code.game, reading)
  reading.catch(() => known.delete(code.game))
  return reading
}

async function readAgents({ shipped, kits }: ShippedCode): Promise<KnownCode> {
  const prints = await Promise.all(
    shipped.map(async ({ name, bytes }) => ({ name, all: await fingerprintsOf(textOf(bytes)) })),
  )
  const starter = prints.find(({ name }) => name === STARTER)?.all ?? new Set<number>()
  const common = new Set(starter)
  for (const { text, comments } of kits) for (const print of await fingerprintsOf(text, comments)) common.add(print)
  const agents = prints.filter(({ name }) => name !== STARTER)
  return { common, agents: agents.map(({ name, all }) => ({ name, own: without(all, common) })) }
}

export function without(all: Set<number>, others: ReadonlySet<number>): Set<number> {
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

/**
 * The code that everybody has from the kits of a game: their agents as they come and after each lesson, and the libraries of
 * those in Python. Empty where there are no kits. A text has the lessons before it too, so that the joints count as well.
 */
export async function kitCode(game: GameId): Promise<readonly CodeFile[]> {
  const folder = join(resources.kits, 'agents', 'kits')
  const page = await readFile(join(folder, game, 'BEAT-THE-BABY.md'), 'utf8').catch(() => '')
  const files: CodeFile[] = []
  for (const path of [`${game}/javascript`, `${game}/python`, 'shared/python']) {
    const names = (await readdir(join(folder, path)).catch(() => [])).filter((name) => /^[^.]+\.(cjs|py)$/.test(name))
    for (const name of names.sort()) {
      const text = await readFile(join(folder, path, name), 'utf8')
      const steps = name.startsWith('agent.') ? afterLessons(text, page) : [text]
      files.push(...steps.map((step) => codeFile(name, step)))
    }
  }
  return files
}

/**
 * An agent of a kit before the first lesson of its page, and after each method that the lessons replace, in order. Methods
 * that the agent does not have leave it as it is.
 */
export function afterLessons(agent: string, page: string): readonly string[] {
  const lesson = /^### `(\w+)\(.*?\)`\n\n```js\n(.*?)```\n\nIn Python:\n\n```python\n(.*?)```$/gms
  const steps = [agent]
  for (const [, method, body = '', python = ''] of page.matchAll(lesson)) {
    const now = steps.at(-1)!
    const name = /def (\w+)\(/.exec(python)?.[1]
    const changed = now
      .replace(
        new RegExp(`^(  ${method}\\([^\\n]*\\{)\\n.*?^  \\}$`, 'ms'),
        (_, head: string) => `${head}\n${body.replaceAll(/^(?=.)/gm, '    ')}  }`,
      )
      .replace(new RegExp(`^    def ${name}\\(.*?\\n(?=\\n)`, 'ms'), () => python)
    if (changed !== now) steps.push(changed)
  }
  return steps
}
