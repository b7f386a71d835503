import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { GameId } from '../../contract/ids.ts'
import type { Opponent } from '../../contract/human-match.ts'
import { resources } from '../machine/resources.ts'

/** A shipped agent with its script. */
export type ShippedAgent = Opponent & { readonly bytes: Uint8Array }

/** The agents that ship with a game, by name. */
export async function shippedAgents(game: GameId): Promise<readonly ShippedAgent[]> {
  const folder = join(resources.agents, game)
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.js')).sort()
  return Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(join(folder, file))
      return { name: basename(file, '.js'), agent: hash('sha256', bytes), shipped: true, works: true, bytes }
    }),
  )
}

/** The newest version of each of the class's agents for a game, in the order in which they were first handed in. */
export function ownAgents({ content }: ClassFolder, game: GameId): readonly Opponent[] {
  const newest = new Map<string, Opponent>()
  for (const { hash: agent, manifest, smoke } of content.agents) {
    const works = smoke?.ok ?? null
    if (manifest.game === game) newest.set(manifest.name, { name: manifest.name, agent, shipped: false, works })
  }
  return [...newest.values()]
}
