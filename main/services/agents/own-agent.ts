import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { GameId } from '../../contract/ids.ts'
import { isFolder } from '../files/read-file.ts'
import { declaredGame, holdsAgent, kitAround, packAgent, playableFile, type PackedAgent } from '../packages/pack.ts'

/** An agent that is worked on. */
export interface OwnAgent {
  /** Its file, or its folder. */
  readonly agent: string
  /** The folder that is worked in: the kit around it, its own one, or that of the terminal. Matches are kept there. */
  readonly folder: string
  /** That of the kit or of its agent.json; null: none is named. */
  readonly game: GameId | null
}

/**
 * The agent that was named, or the one of the folder `from`: that of the kit around it, or the one that `from` itself holds. Throws
 * ExpectedError `kit-unavailable` if it is neither.
 */
export function ownAgent(agent?: string, from = '.'): OwnAgent {
  const around = agent === undefined || isFolder(agent) ? (agent ?? from) : dirname(resolve(agent))
  const kit = kitAround(around)
  if (agent !== undefined) return { agent, folder: kit?.root ?? resolve(from), game: kit?.game ?? declaredGame(around) }
  if (kit !== null) return { agent: kit.root, folder: kit.root, game: kit.game }
  const folder = resolve(from)
  if (holdsAgent(from)) return { agent: folder, folder, game: declaredGame(from) }
  throw new ExpectedError(
    'usage',
    'kit-unavailable',
    `${folder} is not the folder of a kit and holds no agent: go into the folder of your kit, or name the agent.`,
  )
}

/**
 * Gives `use` the file of an agent. A folder is packed as it would be handed in, into a file that is there until `use` has ended; a
 * script that needs no file beside it is used where it is, so that its faults name its lines. Throws ExpectedError like `packAgent`.
 */
export async function withAgentFile<R>(agent: string, game: GameId, use: (file: string) => Promise<R>): Promise<R> {
  if (!isFolder(agent)) return use(agent)
  const packed = await packAgent(agent, game, undefined, false)
  return packed.fileName.endsWith('.zip') ? withPackedFile(packed, use) : use(playableFile(agent))
}

/** Gives `use` a packed agent as a file that is there until `use` has ended. */
export async function withPackedFile<R>(
  { fileName, bytes }: Pick<PackedAgent, 'fileName' | 'bytes'>,
  use: (file: string) => Promise<R>,
): Promise<R> {
  const folder = await mkdtemp(join(tmpdir(), 'tartaglia-agent-'))
  try {
    const file = join(folder, fileName)
    await writeFile(file, bytes)
    return await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
