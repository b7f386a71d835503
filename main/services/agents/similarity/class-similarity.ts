import { teamKey } from '../../../administrator/classroom/active-versions.ts'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { EntrantId, GameId, Sha256 } from '../../../contract/ids.ts'
import type { ComparedCode, SimilarAgent, SimilarPair } from '../../../contract/procedures/procedures.ts'
import type { StoredAgentVersion } from '../../../contract/procedures/classroom.ts'
import { readText } from '../../machine/reading.ts'
import { shippedAgents } from '../opponents.ts'
import type { EarlierClass } from './earlier-classes.ts'
import { passagesJob } from './passages.ts'
import { shippedPrints } from './shipped-prints.ts'
import {
  earlierPairsJob,
  ownCodeJob,
  similarPairsJob,
  similarTo,
  type ComparedAgent,
  type OwnCode,
} from './similar-pairs.ts'

type Home = Pick<ClassFolder, 'content' | 'folder'>

/** The number of agents of a class that are similar to one and that are named. */
const NAMED_MAX = 5
/** The own code of packages by game and hash, the longest known first; packages do not change. */
const known = new Map<string, Promise<OwnCode>>()
const KNOWN_MAX = 2_000

/** The agents of other teams to which the newest version of an agent is similar, the most similar first. */
export async function similarInClass(home: Home, name: EntrantId): Promise<readonly SimilarAgent[]> {
  const game = home.content.agents.findLast(({ manifest }) => manifest.name === name)?.manifest.game
  if (game === undefined) return []
  const agents = await comparedAgents(home, game)
  const one = agents.find((each) => each.name === name)
  return one === undefined ? [] : similarTo(one, agents).slice(0, NAMED_MAX)
}

/**
 * The pairs of similar agents of a class, game by game, those of the class before those with agents of earlier classes; see
 * `similarPairs`.
 */
export async function similarPairsOfClass(
  home: Home,
  earlier: readonly EarlierClass[],
): Promise<readonly SimilarPair[]> {
  const games = [...new Set(home.content.agents.map(({ manifest }) => manifest.game))].sort()
  const pairs: SimilarPair[] = []
  for (const game of games) {
    const agents = await comparedAgents(home, game)
    pairs.push(...(await readText(similarPairsJob, agents)))
    for (const { name, ...other } of earlier) {
      const theirs = await comparedAgents(other, game)
      pairs.push(...(await readText(earlierPairsJob, { agents, earlier: theirs, name })))
    }
  }
  return pairs
}

/**
 * The code of two agents, in their newest versions, with the passages that they have in common. `earlier`: the class of the second one;
 * null: this one. Throws ExpectedError 'usage' if there is no such agent.
 */
export async function comparedCode(
  home: Home,
  [one, other]: readonly [EntrantId, EntrantId],
  earlier: EarlierClass | null,
): Promise<ComparedCode> {
  const { game, hash: agent } = newestOf(home, one)
  const second = newestOf(earlier ?? home, other)
  const { common } = await shippedPrints(game)
  return readText(passagesJob, {
    common,
    sides: [
      { data: home.folder, agent },
      { data: (earlier ?? home).folder, agent: second.hash },
    ],
  })
}

function newestOf({ content }: Home, name: EntrantId): { readonly game: GameId; readonly hash: Sha256 } {
  const newest = content.agents.findLast(({ manifest }) => manifest.name === name)
  if (newest === undefined) throw new ExpectedError('usage', 'agent-unknown', `There is no agent "${name}".`)
  return { game: newest.manifest.game, hash: newest.hash }
}

/** The newest version of each agent for a game. The class's own copies of shipped agents are left out. */
async function comparedAgents(home: Home, game: GameId): Promise<readonly ComparedAgent[]> {
  const newest = new Map<EntrantId, StoredAgentVersion>()
  for (const version of home.content.agents) newest.set(version.manifest.name, version)
  const ships = new Set((await shippedAgents(game)).map(({ agent }) => agent))
  const agents: ComparedAgent[] = []
  for (const [name, { hash: agent, manifest }] of newest) {
    if (manifest.game !== game || ships.has(agent)) continue
    agents.push({ name, team: teamKey(manifest), agent, code: await ownCodeOf(home, game, agent) })
  }
  return agents
}

async function ownCodeOf(home: Home, game: GameId, agent: Sha256): Promise<OwnCode> {
  const key = `${game} ${agent}`
  const reading = known.get(key) ?? readOwnCode(home, game, agent)
  known.delete(key)
  known.set(key, reading)
  for (const oldest of known.keys()) {
    if (known.size <= KNOWN_MAX) break
    known.delete(oldest)
  }
  return reading.catch((error: unknown) => {
    known.delete(key)
    // One package that is damaged, or takes too long, must not keep the others from being compared.
    if (error instanceof ExpectedError && error.kind === 'usage') return { prints: new Uint32Array(), whole: true }
    throw error
  })
}

async function readOwnCode({ folder: data }: Home, game: GameId, agent: Sha256): Promise<OwnCode> {
  const { common } = await shippedPrints(game)
  return readText(ownCodeJob, { common, data, agent })
}

/** A sentence for the educator that names both agents and accuses neither. */
export function pairWords({ names: [one, other], earlier, share, same }: SimilarPair): string {
  const theirs = earlier === undefined ? `"${other}"` : `"${other}" of the class "${earlier}"`
  if (same) return `"${one}" and ${theirs}, of different teams, are the very same file.`
  return `"${one}" and ${theirs}, of different teams, have ${Math.round(share * 100)} % of their own code in common.`
}
