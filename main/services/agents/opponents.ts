import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { storeAgent } from '../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { EntrantId, GameId, Sha256 } from '../../contract/ids.ts'
import type { TeamId } from '../../contract/people/teams.ts'
import type { Json } from '../../contract/json.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { freeName, nameKey } from '../../contract/names.ts'
import type { Opponent } from '../../contract/procedures/human-match.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { games } from '../../referees/games.ts'
import { resources } from '../machine/resources.ts'

/** A shipped agent. */
export interface ShippedAgent extends Opponent {
  /** Its script. Rejects with the system's error. */
  readonly read: () => Promise<Uint8Array>
}

/** By folder; the files do not change while the program runs. */
const shippedIn = new Map<string, Promise<readonly ShippedAgent[]>>()

/** The agents that ship with a game, by name. */
export function shippedAgents(game: GameId): Promise<readonly ShippedAgent[]> {
  const folder = join(resources.agents, game)
  const reading = shippedIn.get(folder) ?? readShipped(folder)
  shippedIn.set(folder, reading)
  reading.catch(() => shippedIn.delete(folder))
  return reading
}

async function readShipped(folder: string): Promise<readonly ShippedAgent[]> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.js')).sort()
  return Promise.all(
    files.map(async (file) => {
      const read = (): Promise<Uint8Array> => readFile(join(folder, file))
      return { name: basename(file, '.js'), agent: hash('sha256', await read()), shipped: true, works: true, read }
    }),
  )
}

/** The agents that ship with a game, the weakest first. */
export const shippedByStrength = async (game: GameId): Promise<readonly ShippedAgent[]> =>
  (await shippedAgents(game)).toSorted((a, b) => strengthOf(game, a.name) - strengthOf(game, b.name))

/** The place of an agent among those that ship with a game, the weakest first; the last for one of which the game says nothing. */
export function strengthOf(game: GameId, name: string): number {
  const at = games.get(game)?.agents.byStrength.indexOf(name) ?? -1
  return at === -1 ? Number.MAX_SAFE_INTEGER : at
}

/**
 * The agents that ship with a game and cannot play with these settings, as the game declares them. `cannot`: the end of a
 * sentence after the name.
 */
export async function shippedUnfit(
  game: GameId,
  config: Json,
): Promise<readonly (Pick<Opponent, 'name' | 'agent'> & { readonly cannot: string })[]> {
  const unable = games.get(game)?.agents.unable
  if (unable === undefined) return []
  return (await shippedAgents(game)).flatMap(({ name, agent }) => {
    const cannot = unable(name, config)
    return cannot === null ? [] : [{ name, agent, cannot }]
  })
}

/**
 * The agents for a game with these packages, in this order: versions of the class's agents, or agents that ship, which are
 * stored. Throws ExpectedError 'usage' if there is no such agent.
 */
export async function agentsByPackage(
  home: ClassFolder,
  game: GameId,
  packages: readonly Sha256[],
): Promise<readonly Pick<Opponent, 'name' | 'agent'>[]> {
  const shipped = await shippedAgents(game)
  const found: Pick<Opponent, 'name' | 'agent'>[] = []
  for (const agent of packages) {
    const own = home.content.agents.findLast(({ hash, manifest }) => hash === agent && manifest.game === game)
    const other = shipped.find((each) => each.agent === agent)
    const name = own?.manifest.name ?? other?.name
    if (name === undefined) throw new ExpectedError('usage', 'agent-unknown', `There is no such agent for ${game}.`)
    if (own === undefined && other !== undefined) {
      await storeAgent(home.folder, { kind: 'script', bytes: await other.read() }).catch((error: unknown) => {
        throw machineErrorFrom(error, 'store an agent in', home.folder)
      })
    }
    found.push({ name, agent })
  }
  return found
}

/** These agents as entrants; those with equal names are numbered. `taken`: other names in the contest. */
export function entrantsNamed(
  agents: readonly Pick<Opponent, 'name' | 'agent'>[],
  taken: readonly EntrantId[] = [],
): { name: EntrantId; agent: Sha256 }[] {
  const keys = new Set(taken.map(nameKey))
  return agents.map(({ name, agent }) => {
    const free = freeName(name, (each) => keys.has(nameKey(each)))
    keys.add(nameKey(free))
    return { name: free, agent }
  })
}

/**
 * The newest version of each of the class's agents for a game, in the order in which they were first handed in. `team`: of those of a
 * team; null: of all.
 */
export function ownAgents({ content }: ClassFolder, game: GameId, team: TeamId | null = null): readonly Opponent[] {
  const newest = new Map<string, Opponent>()
  for (const { hash: agent, manifest, smoke, owner } of content.agents) {
    const works = smoke?.ok ?? null
    if (manifest.game === game && (team === null || owner === team))
      newest.set(manifest.name, { name: manifest.name, agent, shipped: false, works })
  }
  return [...newest.values()]
}
