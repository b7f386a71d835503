import { InvalidArgumentError, Option, type Command } from 'commander'
import { readTextFile } from '../../../services/files/read-file.ts'
import type { MatchResult } from '../../../services/games/punter/one-match.ts'
import { punterConfig, type Config } from '../../../services/games/punter/settings.ts'
import { wholeNumber, type Context } from '../../context.ts'
import { safeLine } from '../../text.ts'

/** The options of a single game. Times are in seconds. */
export interface GameOptions {
  readonly map: string
  readonly repair?: true
  readonly edition: Config['edition']
  readonly futures?: true
  readonly splurges?: true
  readonly options?: true
  readonly coordinates?: true
  readonly setupTimeout: number
  readonly moveTimeout: number
  readonly maxTimeouts: number
  readonly timeouts: Config['timeouts']
}

/** Adds the options of the official server, with its defaults. */
export function addGameOptions(verb: Command): Command {
  return verb
    .requiredOption('--map <file>', 'a map of 2017: JSON with sites, rivers and mines')
    .option('--repair', 'leave out inconsistent parts of the map')
    .option('--futures', 'use the extension futures')
    .option('--splurges', 'use the extension splurges')
    .option('--options', 'use the extension options')
    .option('--coordinates', 'send punters the coordinates of sites')
    .addOption(new Option('--edition <number>', 'edition of the rules').choices(['1.0', '1.3']).default('1.3'))
    .addOption(new Option('--setup-timeout <seconds>', 'time limit to get ready').argParser(seconds).default(10))
    .addOption(new Option('--move-timeout <seconds>', 'time limit of a move').argParser(seconds).default(1))
    .addOption(
      new Option('--max-timeouts <number>', 'number of timeouts after which a punter becomes a zombie')
        .argParser(wholeNumber)
        .default(10),
    )
    .addOption(
      new Option('--timeouts <which>', 'timeouts that count: all of a game, or those since the last answer')
        .choices(['total', 'in-a-row'])
        .default('total'),
    )
}

/** Reads the map and checks the settings. Throws ExpectedError 'usage'. */
export async function configOf(options: GameOptions, more: Partial<Config> = {}): Promise<Config> {
  const { map, repair = false, edition, futures = false, splurges = false, coordinates = false } = options
  const { maxTimeouts, timeouts } = options
  const text = await readTextFile(map)
  const extensions = { futures, splurges, options: options.options ?? false }
  return punterConfig({ map: text, repair, edition, ...extensions, coordinates, maxTimeouts, timeouts, ...more })
}

/** The limits of a game, in ms. */
export function limitsOf({ setupTimeout, moveTimeout }: GameOptions) {
  return { startMs: Math.round(setupTimeout * 1_000), moveMs: Math.round(moveTimeout * 1_000) }
}

/** The number of the game in its lobby. */
interface Where {
  /** From 1. */
  readonly table: number
  /** By seat. */
  readonly names: readonly string[]
}

/** Prints the result of a game. `where`: printed with the JSON only; empty: it was the only game. */
export function printResult(
  { terminal }: Context,
  verb: 'punter play' | 'punter serve',
  result: MatchResult,
  where: Where | Record<string, never> = {},
): void {
  terminal.output(verb, { ...where, ...result })
  terminal.print(
    ...result.refused.map(({ punter, move, text }) =>
      safeLine(`Punter ${punter}, ${move === null ? 'setup' : `move ${move}`}: ${text}`),
    ),
    ...result.zombies.flatMap((why, punter) =>
      why === null ? [] : [safeLine(`Punter ${punter} is a zombie: ${why}`)],
    ),
    ...result.scores.map((score, punter) => `Punter ${punter}: ${score}`),
  )
}

/** A number of seconds. Throws InvalidArgumentError. */
export function seconds(text: string): number {
  const value = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (value < 0.001 || value > 600) throw new InvalidArgumentError('It must be a number of seconds from 0.001 to 600.')
  return value
}
