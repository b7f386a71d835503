import { readdirSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { Interval } from '../../../contract/contests/standings.ts'
import type { EntrantId } from '../../../contract/ids.ts'
import { freeName, nameFrom, nameKey } from '../../../contract/names.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { shippedUnfit, strengthOf } from '../../agents/opponents.ts'
import { resources } from '../../machine/resources.ts'
import { textsOf } from '../../texts/named-texts.ts'
import { completeSettings } from '../descriptions/contest-file.ts'
import { playApart, type ApartOptions } from './play-match.ts'

export interface TryAgentOptions extends Omit<
  ApartOptions,
  'what' | 'format' | 'entrants' | 'consoles' | 'historiesTo'
> {
  /** The agent's file. */
  readonly file: string
  /** Files, or names of shipped agents; empty: the agents that come with the game. */
  readonly against: readonly string[]
  /** With each opponent. */
  readonly matches: number
  /** A new folder for the histories, with one folder for each opponent; absent: they are not kept. */
  readonly exportTo?: string
  onOpponent(opponent: EntrantId): void
}

/** The results of an agent against one opponent. */
export interface TriedOpponent {
  readonly opponent: EntrantId
  readonly matches: number
  readonly won: number
  readonly tied: number
  readonly lost: number
  /** The share of the matches that the agent won, a tie counted as half. */
  readonly share: number
  /** The 95 % confidence interval of the share; null: too few matches for one. */
  readonly interval: Interval | null
  /** Faults and removals of the agent. */
  readonly faults: number
  readonly removals: number
}

/** The result of a trial of an agent. The same seed, agents and settings give the same matches again. */
export interface TriedAgent {
  readonly file: string
  readonly game: string
  readonly seed: string
  readonly opponents: readonly TriedOpponent[]
}

/**
 * Plays an agent against each opponent, with swapped seats in turn. Throws ExpectedError like a contest, also if it is stopped.
 */
export async function tryAgent(options: TryAgentOptions): Promise<TriedAgent> {
  const { file, game, seed, matches, against, exportTo, onOpponent } = options
  const name = nameFrom(basename(file, extname(file)))
  const opponents: TriedOpponent[] = []
  for (const { opponent, agent } of namedOpponents(name, against.length > 0 ? against : await fitAgents(options))) {
    onOpponent(opponent)
    const trial = {
      what: 'The trial',
      format: { type: 'gauntlet', challengers: 1, repeats: matches, seats: 2 },
      entrants: [
        { name, agent: file },
        { name: opponent, agent },
      ],
      ...(exportTo === undefined ? {} : { historiesTo: join(exportTo, opponent) }),
    }
    const result = await playApart({ ...options, ...trial }, async ({ state, standings, shareIntervals }) => {
      if (state === 'stopped') throw new ExpectedError('stopped', 'stopped', 'The trial was stopped before its end.')
      const at = standings.findIndex(({ agent: of }) => of === name)
      const [own, other] = [standings[at], standings.find(({ agent: of }) => of === opponent)]
      if (own === undefined || other === undefined) throw new Error('an entrant is not in the standings')
      return triedOpponent(opponent, { ...own, shareInterval: shareIntervals[at] ?? null }, other.wins)
    })
    opponents.push(result)
  }
  return { file, game, seed, opponents }
}

/** Files or names of agents, each with a name that neither the agent `own` nor another opponent has. */
export function namedOpponents(
  own: EntrantId,
  agents: readonly string[],
): readonly { readonly opponent: EntrantId; readonly agent: string }[] {
  const taken = new Set([nameKey(own)])
  return agents.map((agent) => {
    const opponent = freeName(nameFrom(basename(agent, extname(agent))), (each) => taken.has(nameKey(each)))
    taken.add(nameKey(opponent))
    return { opponent, agent }
  })
}

/** The names of the agents that come with a game and can play with these settings; a notice names the others. */
async function fitAgents({ game, config, data, onNotice }: TryAgentOptions): Promise<readonly string[]> {
  const unfit = await shippedUnfit(game, await completeSettings(game, config, '.', 'the trial', textsOf(data)))
  for (const { name, cannot } of unfit) onNotice(`Left out: ${name} ${cannot}.`)
  return agentsOf(game).filter((each) => unfit.every(({ name }) => name !== each))
}

/** `lost`: the number of matches that the opponent won. */
export function triedOpponent(
  opponent: EntrantId,
  own: {
    readonly matches: number
    readonly wins: number
    readonly shareInterval: Interval | null
    readonly faults: number
    readonly removals: number
  },
  lost: number,
): TriedOpponent {
  const { matches, wins: won, shareInterval: interval, faults, removals } = own
  const tied = matches - won - lost
  // Not the points: those of some games are 3 for a win, or 1 for a loss.
  const share = matches === 0 ? 0 : (won + tied / 2) / matches
  return { opponent, matches, won, tied, lost, share, interval, faults, removals }
}

/** The meaning of a share of wins with its interval, in words. */
export function meaningOf({ interval }: Pick<TriedOpponent, 'interval'>): string {
  if (interval === null) return 'too few matches to tell'
  const [low, high] = interval
  return low > 0.5 ? 'better' : high < 0.5 ? 'worse' : 'no difference is shown'
}

/** The names of the agents that come with a game, the weakest one first. */
function agentsOf(game: string): readonly string[] {
  const names = readdirSync(join(resources.agents, game))
    .filter((each) => each.endsWith('.js'))
    .map((each) => basename(each, '.js'))
  return names.sort((a, b) => strengthOf(game, a) - strengthOf(game, b) || (a < b ? -1 : 1))
}
