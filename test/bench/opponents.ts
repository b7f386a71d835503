import type { Interval } from '../../main/contract/contests/standings.ts'
import type { GameId } from '../../main/contract/ids.ts'
import { games } from '../../main/referees/games.ts'
import { playApart } from '../../main/services/contests/command/play-match.ts'
import { trialConfig } from '../../main/services/game-facts.ts'
import { shippedUnfit } from '../../main/services/agents/opponents.ts'
import { rowOf, type Bench } from './row.ts'

/** The strength of an agent that ships with a game. */
export interface MeasuredOpponent {
  readonly name: string
  /** The share of its matches with all others that it won, a tie counted as half. */
  readonly share: number
  /** The 95 % confidence interval of the share. */
  readonly interval: Interval
  readonly matches: number
}

/**
 * The agents that ship with a game after a round robin with the settings of `tartaglia try`, in the order in which the game lists them.
 * `repeats`: matches of each pair, in swapped seats in turn. Equal seeds give equal results.
 */
export async function measuredOpponents(
  game: GameId,
  repeats: number,
  seed: string,
): Promise<readonly MeasuredOpponent[]> {
  const { byStrength } = games.get(game)!.agents
  const config = trialConfig(game)
  const unfit = new Set((await shippedUnfit(game, config)).map(({ name }) => name))
  const names = byStrength.filter((name) => !unfit.has(name))
  const contest = {
    what: 'The round robin',
    format: { type: 'round-robin', seats: 2, repeats },
    entrants: names.map((name) => ({ name, agent: name })),
    data: '.',
    signal: new AbortController().signal,
    onNotice: () => undefined,
  }
  return playApart({ ...contest, game, config, seed }, ({ standings, shareIntervals, headToHead }) =>
    Promise.resolve(
      names.map((name) => {
        const interval = shareIntervals[standings.findIndex(({ agent }) => agent === name)]
        const row = headToHead.names.indexOf(name)
        const [won, matches] = [sum(headToHead.better[row]), sum(headToHead.met[row])]
        if (!interval) throw new Error(`${name} has too few matches for an interval`)
        return { name, share: won / matches, interval, matches }
      }),
    ),
  )
}

const sum = (numbers: readonly number[] = []): number => numbers.reduce((all, each) => all + each, 0)

/** Pairs of a list by strength of which the earlier one is shown to be the stronger: their intervals lie apart. */
export function misplaced(opponents: readonly MeasuredOpponent[]): readonly (readonly [string, string])[] {
  return opponents.flatMap((one, at) =>
    opponents
      .slice(at + 1)
      .flatMap((other) => (one.interval[0] > other.interval[1] ? [[one.name, other.name] as const] : [])),
  )
}

/** Matches of each pair in the bench. */
const REPEATS = 100

/** The order in which the games list their agents, held against a round robin of them. */
export const opponentsBench: Bench = {
  name: 'opponents',
  onlyByName: true,
  async measure() {
    const rows = []
    for (const game of games.keys()) {
      const opponents = await measuredOpponents(game, REPEATS, 'opponents')
      for (const [at, { name, share, interval, matches }] of opponents.entries()) {
        const before = opponents[at - 1]
        const figure = { name: `opponents: ${game}, ${name}`, value: share, unit: 'share of wins' }
        const within = interval.map((end) => end.toFixed(2)).join(' to ')
        const weaker = before ?? { name: 'nobody', share: 0 }
        const baseline = {
          name: `${weaker.name}; ${within}, ${matches} matches`,
          value: weaker.share,
          unit: 'share of wins',
        }
        rows.push(rowOf(figure, baseline, before && { of: 'value', atLeast: before.interval[0] }))
      }
    }
    return rows
  },
}
