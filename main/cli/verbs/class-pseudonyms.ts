import { Option, type Command } from 'commander'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { listPseudonyms, switchPseudonyms, wishPseudonymFor } from '../../services/people/people-command.ts'
import { addVerb, dataOption, type Context } from '../context.ts'
import { safeLine, table } from '../text.ts'

interface Data {
  readonly data?: string
}

/** `tartaglia class pseudonyms`, `class people pseudonym`: the public names of a class, and the mapping, for the educator. */
export function addPseudonymVerbs(group: Command, people: Command, { terminal }: Context): void {
  addVerb(
    group,
    'pseudonyms',
    'List the teams that appear under pseudonyms; with --all on, all students do from now on',
    'tartaglia class pseudonyms --all on',
  )
    .addOption(
      new Option('--all <on|off>', 'all students of the class appear under pseudonyms, or no longer').choices([
        'on',
        'off',
      ]),
    )
    .addOption(dataOption())
    .action(async ({ data = defaultDataFolder(), all }: Data & { all?: 'on' | 'off' }) => {
      if (all !== undefined) await switchPseudonyms(data, all === 'on')
      const { isForAll, lines } = await listPseudonyms(data)
      terminal.output('class pseudonyms', { all: isForAll, pseudonyms: lines })
      terminal.print(
        isForAll ? 'All students appear under pseudonyms.' : 'Students who wish it appear under pseudonyms.',
        ...(lines.length === 0
          ? []
          : table(
              columns,
              lines.map(({ pseudonym, team, members }) => [pseudonym, team, members.map(safeLine).join(', ')]),
            )),
      )
      if (lines.length > 0) terminal.note('Keep this list to yourself: it is the only place where both names stand.')
    })

  addVerb(
    people,
    'pseudonym',
    'Let a student appear under a pseudonym from now on; with --off, no longer',
    'tartaglia class people pseudonym "Ada Lovelace"',
  )
    .argument('<name>', 'the name, e-mail address or id of a student')
    .option('--off', 'they appear under the name of their team again')
    .addOption(dataOption())
    .action(async (name: string, { data = defaultDataFolder(), off = false }: Data & { off?: boolean }) => {
      const { person, publicName } = await wishPseudonymFor(data, name, !off)
      terminal.output('class people pseudonym', { person: person.id, wished: !off, publicName })
      const team = publicName === null ? 'They are in no team yet' : `Their team appears as "${publicName}"`
      terminal.print(`${safeLine(person.name)} ${off ? 'no longer asks for' : 'has'} a pseudonym. ${team}.`)
    })
}

const columns = ['public name', 'team', 'members'].map((title) => ({ title, align: 'left' as const }))
