import { InvalidArgumentError, Option, type Command } from 'commander'
import { completeSettings, readSeed, readSeeds, type Seeds } from '../../../services/games/haggle/scenarios.ts'
import type { Json } from '../../../contract/json.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { wholeNumber } from '../../context.ts'

/** Which scenarios. */
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

/** Adds --json and the original's options about scenarios, with its defaults. */
export function addScenarioOptions(verb: Command): Command {
  const number = (flags: string, what: string, parse: (text: string) => number, value: number): Option =>
    new Option(flags, what).argParser(parse).default(value)
  return verb
    .option('--json', 'print one JSON object a line on stdout and nothing else')
    .addOption(new Option('-s, --seed <number>', 'one scenario, modulo 2^32 (default: any)').argParser(readSeed))
    .addOption(new Option('--seeds <list>', 'numbers and ranges, such as 1..5,9').argParser(readSeeds))
    .addOption(number('-T, --types <number>', 'types of objects', numberIn(2, 10), 3))
    .addOption(number('-m, --min-objects <number>', 'objects in all, at least', numberIn(1, 10), 1))
    .addOption(number('-M, --max-objects <number>', 'objects in all, at most', numberIn(1, 100), 6))
    .addOption(number('-V, --total-value <number>', 'what all are worth to each side', wholeNumber, 10))
    .addOption(number('-R, --max-rounds <number>', 'rounds of two turns', numberIn(1, 100_000), 5))
    .addOption(new Option('--generator <name>', 'of scenarios').choices(['original', 'corrected']).default('original'))
}

/** The seeds that were asked for; `any` where none was. */
export function seedsOf({ seed, seeds }: ScenarioOptions, any: () => number): Seeds {
  if (seed !== undefined && seeds !== undefined)
    throw new ExpectedError('usage', '--seed and --seeds exclude each other: --seeds takes single numbers as well.')
  return seeds ?? [seed ?? any()]
}

/** The game's settings. Throws ExpectedError 'usage' where there are no such scenarios. */
export function settingsOf(options: ScenarioOptions): Json {
  const { types, minObjects, maxObjects, totalValue, maxRounds, generator } = options
  return completeSettings({ types, minObjects, maxObjects, totalValue, maxRounds, generator })
}

/** Parser of an option's value: a whole number between these. */
export function numberIn(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : -1
    if (value < least || value > most) throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`)
    return value
  }
}
