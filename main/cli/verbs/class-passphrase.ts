import { Option, type Command } from 'commander'
import { ExpectedError } from '../../contract/expected-error.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { forgetNamesOf, namesStateOf, setPassphraseOf } from '../../services/people/people-command.ts'
import { addVerb, dataOption, type Context } from '../context.ts'

interface Options {
  readonly data?: string
  readonly next?: string
  readonly remove?: boolean
  readonly forget?: boolean
  readonly yes?: boolean
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
    .addOption(
      new Option(
        '--forget',
        'show what going on without the names means, for a passphrase that is lost; with --yes, do it',
      ).conflicts(['next', 'remove']),
    )
    .option('--yes', 'with --forget: go on without the names')
    .addOption(dataOption())
    .action(async ({ data = defaultDataFolder(), next, remove = false, forget = false, yes = false }: Options) => {
      if (yes && !forget) throw new ExpectedError('usage', 'option-missing', '--yes needs --forget, which it confirms.')
      const isSet = next !== undefined || remove
      const state = await (isSet
        ? setPassphraseOf(data, next ?? null)
        : forget && yes
          ? forgetNamesOf(data)
          : namesStateOf(data))
      terminal.output('class passphrase', { names: state })
      terminal.print(words[state])
      if (forget && yes) terminal.note(FORGOTTEN)
      else if (forget && state === 'locked') terminal.note(FORGETTING)
      if (next !== undefined)
        terminal.note(
          'Nobody can restore the names if the passphrase is lost. Backups and exports that were made before are as they were: delete or renew them.',
        )
    })
}

const FORGETTING =
  'Nobody can restore a lost passphrase. With --yes the class goes on without the names: people become "Nameless person" and a piece of their id, and names, addresses, numbers, sections, notes and reasons of extensions that are encrypted are given up. Export the class first: that file keeps them, in case the passphrase is found. Everything else stays: agents, contests, receipts, cases, grades and passwords.'
const FORGOTTEN =
  'The class goes on without the names. Give people their names again under People, or with a roster that has a column "former name". The copies of former days keep the encrypted names of those days until the next passphrase is set or somebody is erased; an export from before keeps all.'

const words = {
  none: 'The class has no passphrase: its names are stored in the clear.',
  locked: 'The names of the class are encrypted, and locked: $TARTAGLIA_PASSPHRASE_FILE unlocks them for a command.',
  unlocked: 'The names of the class are encrypted; this command was given the passphrase.',
} as const
