import { Option, type Command } from 'commander'
import { sampleContest } from '../services/contests/sample-contest.ts'
import { readAnyJson } from '../services/challenges/value-files.ts'
import type { GameId } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import { challengeDataOption } from './context.ts'
import { which } from './verbs/challenge/which.ts'

/** What the verbs that play single matches are told of the game. */
export interface GameOptions {
  readonly game?: string
  readonly config?: string
  readonly challenge?: string
  readonly data: string
}

/** Adds --game, --challenge, --config and --data. */
export function addGameOptions(verb: Command): Command {
  return verb
    .addOption(new Option('--game <name>', "the game (default: the sample contest's, specker)"))
    .addOption(new Option('--challenge <name>', which))
    .addOption(new Option('--config <file>', "a JSON file with the game's settings (default: the sample contest's)"))
    .addOption(challengeDataOption())
}

/** The game and its settings: the sample contest's where nothing else is said. */
export async function gameSettings(
  options: GameOptions,
): Promise<{ readonly game: GameId; readonly config: Json; readonly data: string }> {
  const sample = sampleContest()
  const { data } = options
  const game = options.game ?? sample.game
  const given = options.config === undefined ? null : await readAnyJson(options.config)
  const config = given ?? (game === sample.game ? sample.config : {})
  if (options.challenge === undefined) return { game, config, data }
  // The sample's settings of its own challenge mean nothing to another.
  const kept = Object.entries(config as object).filter(([name]) => given !== null || name !== 'challengeConfig')
  return { game, config: { ...Object.fromEntries(kept), challenge: options.challenge }, data }
}
