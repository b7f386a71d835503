import type { Command } from 'commander'
import { didYouMean } from '../contract/near-miss.ts'
import { ExpectedError } from '../contract/expected-error.ts'

/**
 * Adds `tartaglia help contest run` next to `tartaglia contest run --help`, and `tartaglia contest help run` in every
 * group.
 */
export function addHelp(program: Command): void {
  for (const group of program.commands.filter(({ commands }) => commands.length > 0)) addTo(group, true)
  addTo(program, false)
}

function addTo(parent: Command, hidden: boolean): void {
  parent
    .command('help', { hidden })
    .description('Show help for a command')
    .argument('[verb...]', 'for example: contest run')
    .action((words: readonly string[]) => verbAt(parent, words).outputHelp())
}

/** Throws ExpectedError 'usage' if there is no such verb. */
function verbAt(parent: Command, words: readonly string[]): Command {
  return words.reduce((group, word) => {
    const verb = group.commands.find((each) => each.name() === word)
    if (verb !== undefined) return verb
    const known = group.commands.map((each) => each.name())
    throw new ExpectedError(
      'usage',
      'command-unknown',
      `There is no command "${word}".${didYouMean(word, known) || ' See --help.'}`,
    )
  }, parent)
}
