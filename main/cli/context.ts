import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import { dataFolderIfAny } from '../services/machine/data-folder.ts'
import { requireDataFolder } from '../services/machine/existing-class.ts'
import { unsharedTier, type IsolationTier } from '../contract/limits.ts'
import type { CommandEnvironment, Terminal } from './terminal.ts'

/** The arguments of every verb: the environment, the terminal, and a callback for its exit code. */
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

/** For verbs that read nothing from the data folder except texts of its class, such as its challenges. */
export function challengeDataOption(texts = 'challenges'): Option {
  const option = new Option('--data <folder>', `data folder of the class whose ${texts} can be used`)
  return option
    .argParser(existingFolderName)
    .default(dataFolderIfAny(), "$TARTAGLIA_DATA or the system's folder for user data")
}

/** The weakest tier to accept. `tiers`: those to choose from; a contest with a security policy has more. */
export function isolationOption(tiers: readonly IsolationTier[] = unsharedTier.options): Option {
  const option = new Option('--isolation <tier>', 'the weakest isolation to accept')
  return option.choices(tiers)
}

/** For verbs that play matches of no class. `what`: the kind of match. */
export function exportOption(what: string): Option {
  return new Option(
    '--export <folder>',
    `write the history and a transcript of each ${what} into this folder`,
  ).argParser(folderName)
}

/** For verbs that play the user's own agents, which need no consent. */
export function ownIsolationOption(): Option {
  const option = new Option('--isolation <tier>', 'the weakest isolation to accept')
  return option.choices(unsharedTier.options).default(undefined, 'the strongest on this machine, whichever that is')
}

/** Parses an option's value as a folder. `--data --json` is a mistake, not a folder called --json. */
export function folderName(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty.')
  if (text.startsWith('--'))
    throw new InvalidArgumentError('It looks like an option. For a folder of that name, put ./ in front.')
  return text
}

/** Like `folderName`, for a data folder that must exist. */
function existingFolderName(text: string): string {
  const folder = folderName(text)
  requireDataFolder(folder)
  return folder
}

/** Parses an option's value as a whole number of at least 1. */
export function wholeNumber(text: string): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value < 1) throw new InvalidArgumentError('It must be a whole number of at least 1.')
  return value
}

/** Parses an option's value as a port; 0: any free one. */
export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity
  if (port > PORT_MAX) throw new InvalidArgumentError(`It must be a port from 0 to ${PORT_MAX}.`)
  return port
}

export const PORT_MAX = 65_535
