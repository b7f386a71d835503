import { Option, type Command } from 'commander'
import { gameTexts, singleConfig, trialConfig } from '../services/game-facts.ts'
import { sampleGame } from '../services/contests/descriptions/sample-contest.ts'
import { readAnyJson } from '../services/challenges/value-files.ts'
import type { GameId } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import { challengeDataOption } from './context.ts'

/** The options of verbs that play single matches, plus one option for each named text of a game. */
export interface GameOptions extends Readonly<Record<string, unknown>> {
  readonly game: string
  readonly config?: string
  readonly data: string
}

/** The settings of a verb that plays matches without --config: those of single matches, or those of trial matches. */
export type UsualSettings = 'single' | 'trial'

/**
 * Adds --game, --config, --data, and an option for each text that a game's config may give by name, such as
 * --challenge.
 */
export function addGameOptions(verb: Command, usual: UsualSettings): Command {
  verb.addOption(new Option('--game <name>', 'the game').default(sampleGame()))
  for (const [field, { kind, ending = kind }] of gameTexts) {
    const which = `a .${ending} file, or the name of a built-in ${kind} or of one of the class`
    verb.addOption(new Option(`--${field} <name>`, which))
  }
  return verb
    .addOption(
      new Option('--config <file>', `a JSON file with the game's settings (default: those of its ${usual} matches)`),
    )
    .addOption(challengeDataOption())
}

/** The game and its settings, which are the usual ones without --config. */
export async function gameSettings(
  options: GameOptions,
  usual: UsualSettings,
): Promise<{ readonly game: GameId; readonly config: Json; readonly data: string }> {
  const { game, data } = options
  const given = options.config === undefined ? null : await readAnyJson(options.config)
  let config = given ?? (usual === 'single' ? singleConfig : trialConfig)(game)
  for (const [field, { settings }] of gameTexts) {
    const name = options[field]
    if (typeof name !== 'string') continue
    // Settings that belong to the default text do not fit another one.
    const kept = Object.entries(config as object).filter(([key]) => given !== null || key !== settings)
    config = { ...Object.fromEntries(kept), [field]: name }
  }
  return { game, config, data }
}

/** In the folder of a kit the game is the kit's, `own`, unless another one is chosen. */
export function withGame(options: GameOptions, command: Command, own: GameId | null): GameOptions {
  return own !== null && command.getOptionValueSource('game') === 'default' ? { ...options, game: own } : options
}
