import { InvalidArgumentError, Option, type Command } from 'commander'
import { haggleConfig, readSeed, readSeeds, type Seeds } from '../../../services/games/haggle/scenarios.ts'
import type { Json } from '../../../contract/json.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { wholeNumber } from '../../context.ts'

/** The choice of scenarios. */
export interface ScenarioOptions {
  readonly seed?: number
  readonly seeds?: Seeds
  readonly types: number
  readonly minObjects: number
  readonly maxObjects: number
  readonly totalValue: number
  readonly maxRounds: number
  readonly generator: 'original' | 'corrected'
}

/** Adds --json and the original's options for scenarios, with its defaults. */
export function addScenarioOptions(verb: Command): Command {
  const number = (flags: string, what: string, parse: (text: string) => number, value: number): Option =>
    new Option(flags, what).argParser(parse).default(value)
  return verb
    .option('--json', 'print one JSON object per line on stdout and nothing else')
    .addOption(new Option('-s, --seed <number>', 'one scenario, modulo 2^32 (default: random)').argParser(readSeed))
    .addOption(new Option('--seeds <list>', 'scenarios as numbers and ranges, such as 1..5,9').argParser(readSeeds))
    .addOption(number('-T, --types <number>', 'number of types of objects', numberIn(2, 10), 3))
    .addOption(number('-m, --min-objects <number>', 'minimum number of objects', numberIn(1, 10), 1))
    .addOption(number('-M, --max-objects <number>', 'maximum number of objects', numberIn(1, 100), 6))
    .addOption(number('-V, --total-value <number>', 'total value of all objects for each side', wholeNumber, 10))
    .addOption(
      number('-R, --max-rounds <number>', 'maximum number of rounds, each of two turns', numberIn(1, 100_000), 5),
    )
    .addOption(new Option('--generator <name>', 'of scenarios').choices(['original', 'corrected']).default('original'))
}

/** The requested seeds; one from `any` if none was requested. */
export function seedsOf({ seed, seeds }: ScenarioOptions, any: () => number): Seeds {
  if (seed !== undefined && seeds !== undefined)
    throw new ExpectedError(
      'usage',
      'options-conflict',
      '--seed and --seeds cannot be combined; --seeds accepts single numbers too.',
    )
  return seeds ?? [seed ?? any()]
}

/** The game's settings. Throws ExpectedError 'usage' if they are not valid. */
export function settingsOf(options: ScenarioOptions): Json {
  const { types, minObjects, maxObjects, totalValue, maxRounds, generator } = options
  return haggleConfig({ types, minObjects, maxObjects, totalValue, maxRounds, generator })
}

/** Returns a parser for an option's value: a whole number in this range. */
export function numberIn(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : -1
    if (value < least || value > most) throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`)
    return value
  }
}
