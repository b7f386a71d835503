import { writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { GameId } from '../../main/contract/ids.ts'
import type { Json } from '../../main/contract/json.ts'
import { games } from '../../main/referees/games.ts'
import { shippedByStrength } from '../../main/services/agents/opponents.ts'
import { playApart } from '../../main/services/contests/command/play-match.ts'
import { singleConfig } from '../../main/services/game-facts.ts'
import { rowOf, type Bench } from './row.ts'

/** The matches of each pair with the same settings, in swapped seats in turn: where the settings leave nothing to chance, two differ. */
const REPEATS: Readonly<Record<GameId, number>> = { specker: 40, haggle: 160 }
const PAIR = 2
/** The first steps of a match tell who is stronger, and take a fifth of the time. */
const SHORTER: Readonly<Record<GameId, Json>> = { cows: { steps: 200 } }

/** The table of all games, as it was measured last; a test holds the lists of agents against it. */
export const OPPONENTS_TABLE = new URL('opponents.json', import.meta.url)

/** The matches of an agent with all others that ship with its game. */
interface Strength {
  readonly name: string
  /** The SHA-256 of the agent as it ships. */
  readonly sha256: string
  /** A tie counts as half. */
  readonly won: number
  readonly matches: number
}

/** The strengths of the agents of a game, and the round robins in which they were measured. */
export interface MeasuredGame {
  readonly contests: readonly { readonly config: Json; readonly seed: string; readonly repeats: number }[]
  /** As the game lists them. */
  readonly agents: readonly Strength[]
}

/** The strength of each agent in a round robin on all maps that ship, or with the settings of `tartaglia try`. */
async function strengthsIn(game: GameId): Promise<MeasuredGame> {
  const shipped = await shippedByStrength(game)
  const names = shipped.map(({ name }) => name)
  const sums = new Map(names.map((name) => [name, { won: 0, matches: 0 }]))
  const repeats = REPEATS[game] ?? PAIR
  const contests = (await settingsOf(game)).map((config) => ({ config, seed: JSON.stringify(config), repeats }))
  for (const { config, seed } of contests) {
    const contest = {
      what: 'The round robin',
      format: { type: 'round-robin', seats: 2, repeats },
      entrants: names.map((name) => ({ name, agent: name })),
      ...{ game, config, seed, data: '.', signal: new AbortController().signal },
      onNotice: () => undefined,
    }
    await playApart(contest, ({ headToHead }) => {
      for (const [at, name] of headToHead.names.entries()) {
        const own = sums.get(name)!
        own.won += total(headToHead.better[at])
        own.matches += total(headToHead.met[at])
      }
      return Promise.resolve()
    })
  }
  return { contests, agents: shipped.map(({ name, agent }) => ({ name, sha256: agent, ...sums.get(name)! })) }
}

const total = (numbers: readonly number[] = []): number => numbers.reduce((sum, each) => sum + each, 0)

async function settingsOf(game: GameId): Promise<readonly Json[]> {
  const maps = await readdir(new URL(`../../agents/${game}/maps`, import.meta.url)).catch(() => [])
  if (maps.length === 0) return [singleConfig(game)]
  return maps.toSorted().map((file) => ({ ...(SHORTER[game] as object), map: file.replace(/\.\w+$/, '') }))
}

/** The order in which the games list their agents, each held against the one that is listed before it. Writes the table anew. */
export const opponents: Bench = {
  name: 'opponents',
  onlyByName: true,
  async measure() {
    const rows = []
    const table: Record<GameId, MeasuredGame> = {}
    for (const game of games.keys()) {
      table[game] = await strengthsIn(game)
      const strengths = table[game].agents
      for (const [at, { name, won, matches }] of strengths.entries()) {
        const before = strengths[at - 1]
        if (before === undefined) continue
        const figure = { name: `opponents: ${game}, ${name}`, value: won, unit: 'won' }
        const baseline = {
          name: `listed after ${before.name}, which won ${before.won}`,
          value: matches,
          unit: 'matches',
        }
        rows.push(rowOf(figure, baseline, { of: 'value', atLeast: before.won }))
      }
    }
    writeFileSync(OPPONENTS_TABLE, `${JSON.stringify(table, null, 2)}\n`)
    return rows
  },
}
