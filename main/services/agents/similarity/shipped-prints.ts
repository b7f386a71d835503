import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { GameId } from '../../../contract/ids.ts'
import { isCompiledKit, kitNames } from '../../../contract/players/kits.ts'
import { readText, readingJob } from '../../machine/reading.ts'
import { resources } from '../../machine/resources.ts'
import { messageTypes } from '../kit-code/emitters.ts'
import { shippedAgents } from '../opponents.ts'
import { fingerprintsOf } from './fingerprints.ts'
import { codeFile, type CodeFile } from './source-code.ts'

// The code that ships with a game, as fingerprints: megabytes of scripts become some hundred kilobytes, which go to the reading process
// with every agent that is compared.

/** The fingerprints of the code that ships with a game. */
export interface ShippedPrints {
  /** The shipped agents, each with the fingerprints of its own code, which leave out the common ones. */
  readonly agents: readonly { readonly name: string; readonly own: Uint32Array }[]
  /** The fingerprints of code that all may use: the starter with its libraries, and the kits. */
  readonly common: Uint32Array
}

/** The code that ships with a game. */
interface ShippedCode {
  readonly shipped: readonly { readonly name: string; readonly bytes: Uint8Array }[]
  /** The code of its kits; see `kitCode`. */
  readonly kits: readonly CodeFile[]
}

/** The shipped agent that kits build upon; what others have in common with it says nothing. */
const STARTER = 'baby'

/** By game; the files do not change while the program runs. */
const known = new Map<GameId, Promise<ShippedPrints>>()

/** The fingerprints of a game's shipped agents and kits, which are read once. Rejects with the system's error if they cannot be read. */
export function shippedPrints(game: GameId): Promise<ShippedPrints> {
  const reading = known.get(game) ?? readPrints(game)
  known.set(game, reading)
  reading.catch(() => known.delete(game))
  return reading
}

/** The files are read in the main process, because the reading process of a packaged app cannot read its archive. */
async function readPrints(game: GameId): Promise<ShippedPrints> {
  const [agents, kits] = await Promise.all([shippedAgents(game), kitCode(game)])
  const shipped = await Promise.all(agents.map(async ({ name, read }) => ({ name, bytes: await read() })))
  return readText(shippedPrintsJob, { shipped, kits })
}

const prints = z.instanceof(Uint32Array)

export const shippedPrintsJob = readingJob<ShippedCode, ShippedPrints>({
  name: 'shipped-prints',
  what: 'the code that ships with a game',
  result: z.strictObject({ agents: z.array(z.strictObject({ name: z.string(), own: prints })), common: prints }),
  read: printsOfShipped,
})

async function printsOfShipped({ shipped, kits }: ShippedCode): Promise<ShippedPrints> {
  const agents: { name: string; all: Set<number> }[] = []
  for (const { name, bytes } of shipped)
    agents.push({ name, all: await fingerprintsOf(new TextDecoder().decode(bytes)) })
  const common = new Set(agents.find(({ name }) => name === STARTER)?.all)
  for (const { text, comments } of kits) for (const print of await fingerprintsOf(text, comments)) common.add(print)
  const others = agents.filter(({ name }) => name !== STARTER)
  return {
    agents: others.map(({ name, all }) => ({ name, own: Uint32Array.from(without(all, common)) })),
    common: Uint32Array.from(common),
  }
}

export function without(all: ReadonlySet<number>, others: ReadonlySet<number>): Set<number> {
  return new Set([...all].filter((print) => !others.has(print)))
}

/**
 * The code that everybody has from the kits of a game: their agents as they come and after each lesson, and the libraries of
 * those of programs, with the types of their messages. Empty in a copy without kits. A text has the lessons before it too, so that the joints count as well.
 */
export async function kitCode(game: GameId): Promise<readonly CodeFile[]> {
  const folder = join(resources.kits, 'agents', 'kits')
  const page = await readFile(join(folder, game, 'BEAT-THE-BABY.md'), 'utf8').catch(() => '')
  const files: CodeFile[] = []
  const programs = kitNames.filter((kit) => kit === 'python' || isCompiledKit(kit))
  for (const path of [`${game}/javascript`, ...programs.flatMap((kit) => [`${game}/${kit}`, `shared/${kit}`])]) {
    const names = (await readdir(join(folder, path)).catch(() => [])).filter((name) =>
      /^[^.]+\.(cjs|py|go|java|cpp|hpp|rs)$/.test(name),
    )
    for (const name of names.sort()) {
      const text = await readFile(join(folder, path, name), 'utf8')
      const steps = name.startsWith('agent.') ? afterLessons(text, page) : [text]
      files.push(...steps.map((step) => codeFile(name, step)))
    }
  }
  for (const kit of programs) for (const [path, text] of messageTypes(game, kit)) files.push(codeFile(path, text))
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
