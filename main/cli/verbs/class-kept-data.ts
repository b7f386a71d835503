import { InvalidArgumentError, type Command } from 'commander'
import { keptKinds } from '../../contract/people/kept-data.ts'
import { retention, type Retention } from '../../contract/people/retention.ts'
import { dueSentences } from '../../services/people/due-data.ts'
import { keptPeriods, writeOwnData } from '../../services/homes/own-data-command.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { addVerb, dataOption, type Context } from '../context.ts'
import { safeLine } from '../text.ts'

interface Data {
  readonly data?: string
}

const within = (period: keyof Retention) => (text: string) => {
  const parsed = retention.shape[period].safeParse(/^\d{1,5}$/.test(text) ? Number(text) : null)
  if (!parsed.success) throw new InvalidArgumentError('It must be a whole number; 0: no reminder.')
  return parsed.data
}

/** `tartaglia class kept`, `class people data`: which data about people a class keeps, what is due, and all of one person's. */
export function addKeptData(group: Command, people: Command, { terminal }: Context): void {
  addVerb(
    group,
    'kept',
    'Show which data about people a class keeps, and which are due; with periods, set when the educator is reminded',
    'tartaglia class kept --left 90 --contests 24',
  )
    .option('--left <days>', 'remind to erase people so long after they left; 0: never', within('leftDays'))
    .option(
      '--contests <months>',
      'remind to delete contests so long after their end; 0: never',
      within('contestMonths'),
    )
    .option(
      '--class <months>',
      'remind of a class in which nothing has happened for so long; 0: never',
      within('classMonths'),
    )
    .addOption(dataOption())
    .action(
      async ({
        data = defaultDataFolder(),
        left,
        contests,
        class: whole,
      }: Data & { left?: number; contests?: number; class?: number }) => {
        const { periods, due } = await keptPeriods(data, {
          ...(left === undefined ? {} : { leftDays: left }),
          ...(contests === undefined ? {} : { contestMonths: contests }),
          ...(whole === undefined ? {} : { classMonths: whole }),
        })
        terminal.output('class kept', { kinds: keptKinds, periods, due })
        for (const { what, why, seen, until } of keptKinds)
          terminal.print(what, `  why: ${why}`, `  seen by: ${seen}`, `  until: ${until}`)
        const reminders = dueSentences(due).map(({ text }) => safeLine(text))
        terminal.print('', ...(reminders.length === 0 ? ['No data are due.'] : reminders))
      },
    )

  addVerb(
    people,
    'data',
    'Write everything that the class keeps about a person as a zip, also of somebody who has left',
    'tartaglia class people data "Ada Lovelace" ada.zip',
  )
    .argument('<name>', 'the name, e-mail address or id of a person')
    .argument('<file>', 'the zip to write')
    .option('--overwrite', 'replace an existing file')
    .addOption(dataOption())
    .action(
      async (
        name: string,
        file: string,
        { data = defaultDataFolder(), overwrite = false }: Data & { overwrite?: boolean },
      ) => {
        const person = await writeOwnData(data, name, file, overwrite)
        terminal.output('class people data', { person: person.id, file })
        terminal.print(`${file} has the data about ${safeLine(person.name)}. Give it to nobody else.`)
      },
    )
}
