import type { GameId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import { games } from '../../../referees/games.ts'
import { completeSettings } from '../descriptions/contest-file.ts'
import { playSingleMatch, type SeatReport } from './play-match.ts'
import type { OutFile } from '../../files/output-file.ts'
import { manifestOfFile } from '../../packages/prepare.ts'
import { textsOf } from '../../texts/named-texts.ts'
import { knownAgentFile } from '../../agents/named-agents.ts'
import { SEATS_MAX } from '../../../contract/contests/contests.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ErasedGame } from '../../../contract/game/game.ts'

export interface CheckAgentOptions {
  /** The agent's file. */
  readonly file: string
  readonly game: GameId
  /** The game's settings; missing ones get their defaults. */
  readonly config: Json
  /** The data folder; the settings may name challenges of its class. */
  readonly data: string
  /** The weakest isolation tier to accept. */
  readonly isolation?: IsolationTier | undefined
  /** The file for the match's history. */
  readonly exportTo?: OutFile
  readonly signal: AbortSignal
  onNotice(text: string): void
}

/** The result of a trial match of an agent. */
export interface AgentVerdict {
  readonly file: string
  readonly ok: boolean
  /** One sentence for the student: the result, or why the agent failed. */
  readonly text: string
  /** Packages that it needs on the machine, as it lists them. */
  readonly packages: readonly string[]
  readonly agent: SeatReport
}

/**
 * Plays one trial match of an agent against copies of the game's baby agent. Throws ExpectedError if the match cannot
 * be played.
 */
export async function checkAgent(options: CheckAgentOptions): Promise<AgentVerdict> {
  const { file, game, config, data, isolation, exportTo, signal } = options
  const complete = await completeSettings(game, config, '.', 'the match', textsOf(data))
  const { packages = [] } = await manifestOfFile(knownAgentFile(game, file), game)
  const babies = trialEntrants(games.get(game)!, complete) - 1
  const { seats } = await playSingleMatch({
    game,
    agents: [file, ...Array.from({ length: babies }, () => 'baby')],
    config,
    data,
    seed: 'smoke',
    clock: 'real',
    isolation,
    ...(exportTo === undefined ? {} : { exportTo }),
    signal,
    onNotice: (text) => options.onNotice(text),
  })
  const agent = seats[0]!
  const [fault] = agent.faults
  if (fault !== undefined) return { file, ok: false, text: fault.text, packages, agent }
  if (agent.removed) return { file, ok: false, text: agent.reason ?? 'It was removed from the match.', packages, agent }
  const against = babies === 0 ? '' : babies === 1 ? ' against the baby' : ` against ${babies} babies`
  return {
    file,
    ok: true,
    text: `It played its match${against} to the end, rank ${agent.rank} of ${seats.length}.`,
    packages,
    agent,
  }
}

/**
 * The number of entrants of an agent's trial match, including the agent: the game's choice, or the smallest number that
 * can play with this complete config. Throws ExpectedError 'usage' if no number can.
 */
export function trialEntrants(game: ErasedGame, config: Json): number {
  if (game.agents.trial.entrants !== undefined) return game.agents.trial.entrants
  for (let entrants = 1; entrants <= SEATS_MAX; entrants++) {
    if (typeof game.seats(config, entrants) !== 'string') return entrants
  }
  throw new ExpectedError(
    'usage',
    'entrants-invalid',
    `${game.title} cannot be played with these settings, whatever the number of entrants.`,
  )
}
