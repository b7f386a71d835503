import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import { defaultDataFolder } from '../services/machine/data-folder.ts'
import { requireDataFolder } from '../services/contests/existing-class.ts'
import { apartTier, type IsolationTier } from '../contract/limits.ts'
import type { CommandEnvironment, Terminal } from './terminal.ts'

/** What every verb gets: the world, where to write, and whom to tell its exit code. */
export interface Context {
  readonly environment: CommandEnvironment
  readonly terminal: Terminal
  done(code: number): void
}

/** A verb with its example and --json. */
export function addVerb(parent: Command, name: string, description: string, example: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--json', 'print one JSON object on stdout and nothing else')
    .addHelpText('after', `\nExample:\n  ${example}`)
}

/** A group of verbs, `tartaglia contest ...`. */
export function addGroup(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).helpCommand(false)
}

export function dataOption(): Option {
  const help = "data folder (default: $TARTAGLIA_DATA or the system's folder for user data)"
  return new Option('--data <folder>', help).argParser(folderName)
}

/** For verbs that take nothing from the data folder but its class's own challenges. */
export function challengeDataOption(): Option {
  const option = new Option('--data <folder>', 'data folder of the class whose own challenges can be named')
  return option
    .argParser(existingFolderName)
    .default(defaultDataFolder(), "$TARTAGLIA_DATA or the system's folder for user data")
}

/** The weakest tier that is consented to. `tiers`: those that there are for a contest with a policy of its own. */
export function isolationOption(tiers: readonly IsolationTier[] = apartTier.options): Option {
  const option = new Option('--isolation <tier>', 'consent to agents being held no more strongly than so')
  return option.choices(tiers)
}

/** For verbs that play agents of one's own, which nobody has to consent to. */
export function ownIsolationOption(): Option {
  const option = new Option('--isolation <tier>', 'refuse to hold the agents less strongly than so')
  return option.choices(apartTier.options).default(undefined, 'as strongly as this machine can')
}

/** Parser of an option's value: a folder. `--data --json` is a slip of the hand, not a folder called --json. */
export function folderName(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty.')
  if (text.startsWith('--')) throw new InvalidArgumentError('It looks like an option; a folder of that name is ./--...')
  return text
}

/** As `folderName`, of a data folder that is only read. */
function existingFolderName(text: string): string {
  const folder = folderName(text)
  requireDataFolder(folder)
  return folder
}

/** Parser of an option's value: a whole number from 1. */
export function wholeNumber(text: string): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value < 1) throw new InvalidArgumentError('It must be a whole number from 1.')
  return value
}
