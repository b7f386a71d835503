import { Option, type Command } from 'commander'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { namesStateOf, setPassphraseOf } from '../../services/people/people-command.ts'
import { addVerb, dataOption, type Context } from '../context.ts'

interface Options {
  readonly data?: string
  readonly next?: string
  readonly remove?: boolean
}

/** `tartaglia class passphrase`: the passphrase behind which the names of a class are encrypted. */
export function addPassphrase(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'passphrase',
    'Say if the names of the class are encrypted; with --next, set or change their passphrase',
    'tartaglia class passphrase --next passphrase.txt',
  )
    .addOption(
      new Option(
        '--next <file>',
        'set the passphrase to the first line of this file; $TARTAGLIA_PASSPHRASE_FILE names the file of the present one',
      ).conflicts('remove'),
    )
    .option('--remove', 'store the names in the clear again')
    .addOption(dataOption())
    .action(async ({ data = defaultDataFolder(), next, remove = false }: Options) => {
      const state = await (next !== undefined || remove ? setPassphraseOf(data, next ?? null) : namesStateOf(data))
      terminal.output('class passphrase', { names: state })
      terminal.print(words[state])
      if (next !== undefined)
        terminal.note(
          'Nobody can restore the names if the passphrase is lost. Backups and exports that were made before are as they were: delete or renew them.',
        )
    })
}

const words = {
  none: 'The class has no passphrase: its names are stored in the clear.',
  locked: 'The names of the class are encrypted, and locked: $TARTAGLIA_PASSPHRASE_FILE unlocks them for a command.',
  unlocked: 'The names of the class are encrypted; this command was given the passphrase.',
} as const
