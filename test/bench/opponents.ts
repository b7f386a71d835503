import { readdir } from 'node:fs/promises'
import type { GameId } from '../../main/contract/ids.ts'
import type { Json } from '../../main/contract/json.ts'
import { games } from '../../main/referees/games.ts'
import { playApart } from '../../main/services/contests/command/play-match.ts'
import { trialConfig } from '../../main/services/game-facts.ts'
import { rowOf, type Bench } from './row.ts'

/** The matches of each pair with the same settings, in swapped seats in turn: where the settings leave nothing to chance, two differ. */
const REPEATS: Readonly<Record<GameId, number>> = { specker: 12, haggle: 60 }
const PAIR = 2
/** The first steps of a match tell who is stronger, and take a fifth of the time. */
const SHORTER: Readonly<Record<GameId, Json>> = { cows: { steps: 200 } }

/** The matches of an agent with all others that ship with its game. */
interface Strength {
  readonly name: string
  /** A tie counts as half. */
  readonly won: number
  readonly matches: number
}

/** The strength of each agent in a round robin on all maps that ship, or with the settings of `tartaglia try`; as the game lists them. */
async function strengthsIn(game: GameId): Promise<readonly Strength[]> {
  const names = games.get(game)!.agents.byStrength
  const sums = new Map(names.map((name) => [name, { won: 0, matches: 0 }]))
  for (const config of await settingsOf(game)) {
    const contest = {
      what: 'The round robin',
      format: { type: 'round-robin', seats: 2, repeats: REPEATS[game] ?? PAIR },
      entrants: names.map((name) => ({ name, agent: name })),
      ...{ game, config, seed: JSON.stringify(config), data: '.', signal: new AbortController().signal },
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
  return names.map((name) => ({ name, ...sums.get(name)! }))
}

const total = (numbers: readonly number[] = []): number => numbers.reduce((sum, each) => sum + each, 0)

async function settingsOf(game: GameId): Promise<readonly Json[]> {
  const maps = await readdir(new URL(`../../agents/${game}/maps`, import.meta.url)).catch(() => [])
  if (maps.length === 0) return [trialConfig(game)]
  return maps.toSorted().map((file) => ({ ...(SHORTER[game] as object), map: file.replace(/\.\w+$/, '') }))
}

/** The order in which the games list their agents, each held against the one that is listed before it. */
export const opponents: Bench = {
  name: 'opponents',
  onlyByName: true,
  async measure() {
    const rows = []
    for (const game of games.keys()) {
      const strengths = await strengthsIn(game)
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
    return rows
  },
}
