import type { Command } from 'commander'
import type { Person } from '../../contract/people/people.ts'
import type { PersonChange, RosterImport } from '../../contract/people/people-procedures.ts'
import { erasedName } from '../../contract/people/people.ts'
import {
  erasePersonCalled,
  importRosterFile,
  listPeople,
  newCodeFor,
  removePersonCalled,
} from '../../services/people/people-command.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { addGroup, addVerb, dataOption, type Context } from '../context.ts'
import { count, safeLine, table } from '../text.ts'
import { addClassArchive } from './class-archive.ts'
import { addGradebook } from './class-gradebook.ts'
import { addGradeVerbs } from './class-grades.ts'
import { addKeptData } from './class-kept-data.ts'
import { addPassphrase } from './class-passphrase.ts'
import { addPseudonymVerbs } from './class-pseudonyms.ts'

interface Data {
  readonly data?: string
}

/** `tartaglia class people import|list|code|remove|erase`: the roster of a class; `class table|grades|gradebook`: its results. */
export function addClass(program: Command, context: Context): void {
  const { terminal } = context
  const group = addGroup(program, 'class', 'The class: its people, its archive, a new term, its results and grades')
  addClassArchive(group, context)
  const people = addGroup(group, 'people', 'The people of the class: import, list, code, remove, erase')

  addGradeVerbs(group, context)
  addGradebook(group, context)
  addPseudonymVerbs(group, people, context)
  addPassphrase(group, context)
  addKeptData(group, people, context)

  addVerb(
    people,
    'import',
    'Add the people of a roster and change those whom the class has; nobody is removed',
    'tartaglia class people import roster.csv --dry-run',
  )
    .argument('<file>', 'an export of Canvas, Moodle or Blackboard, a CSV file with a header, or a list of names')
    .option('--dry-run', 'show what would change, and change nothing')
    .addOption(dataOption())
    .action(async (file: string, { data = defaultDataFolder(), dryRun = false }: Data & { dryRun?: boolean }) => {
      const done = await importRosterFile(data, file, dryRun)
      terminal.output('class people import', { file, dryRun, ...done })
      terminal.print(...importLines(done, dryRun))
    })

  addVerb(people, 'list', 'List the people of the class', 'tartaglia class people list --json')
    .addOption(dataOption())
    .action(async ({ data = defaultDataFolder() }: Data) => {
      const listed = await listPeople(data)
      terminal.output('class people list', { people: listed })
      const rows = listed.map(({ name, role, section = '', email = '', removed, codeUntil }) => [
        name,
        role,
        section,
        email,
        removed !== undefined
          ? `left ${removed.slice(0, 10)}`
          : codeUntil === null
            ? ''
            : `code until ${codeUntil.slice(0, 10)}`,
      ])
      terminal.print(...(rows.length === 0 ? ['The class has no people.'] : table(columns, rows)))
    })

  addVerb(
    people,
    'code',
    'Make a new one-time code for a person; their former one is no longer valid',
    'tartaglia class people code "Ada Lovelace"',
  )
    .argument('<name>', 'the name, e-mail address or id of a person')
    .addOption(dataOption())
    .action(async (name: string, { data = defaultDataFolder() }: Data) => {
      const { person, code, until } = await newCodeFor(data, name)
      terminal.output('class people code', { person: person.id, name: person.name, code, until: until.toISOString() })
      terminal.print(code)
      terminal.note(
        `This is the code of ${safeLine(person.name)} until ${until.toISOString().slice(0, 10)}. It is not shown again.`,
      )
    })

  addVerb(
    people,
    'remove',
    'Remove a person from the class; what they handed in stays, and a roster brings them back',
    'tartaglia class people remove "Ada Lovelace"',
  )
    .argument('<name>', 'the name, e-mail address or id of a person')
    .addOption(dataOption())
    .action(async (name: string, { data = defaultDataFolder() }: Data) => {
      const person = await removePersonCalled(data, name)
      terminal.output('class people remove', { person: person.id, name: person.name })
      terminal.print(`${safeLine(person.name)} is no longer in the class.`)
    })

  addVerb(
    people,
    'erase',
    'Show what erasing the personal data of somebody who left means; with --yes, erase them for good',
    'tartaglia class people erase "Ada Lovelace" --yes',
  )
    .argument('<name>', 'the name, e-mail address or id of a person who has left')
    .option('--yes', 'erase them; it cannot be undone')
    .addOption(dataOption())
    .action(async (name: string, { data = defaultDataFolder(), yes = false }: Data & { yes?: boolean }) => {
      const person = await erasePersonCalled(data, name, !yes)
      terminal.output('class people erase', { person: person.id, erased: yes })
      const who = safeLine(person.name)
      terminal.print(
        yes
          ? `The personal data of ${who} are erased; what they did stays under the name "${erasedName(person.id)}".`
          : `Name, address, school numbers, section, account, grades and reasons of extensions of ${who} would be erased for good, and so would the copies of former days of the whole class. Agents, receipts, histories and cases would stay, without the name.`,
      )
      terminal.note('Backups, exports and printed slips that were made before still name them: delete or renew those.')
    })
}

const columns = ['name', 'role', 'section', 'e-mail', ''].map((title) => ({ title, align: 'left' as const }))

/** The maximum number of people that a line names; `--json` has all. */
const NAMED_MAX = 20

function importLines({ added, changed, gone, unchanged }: RosterImport, dryRun: boolean): readonly string[] {
  const would = dryRun ? 'would be ' : ''
  const returning = changed.filter(({ returns }) => returns).map(({ to }) => to)
  const edited = changed.filter(({ returns }) => !returns).map(({ to }) => to)
  return [
    ...named(`${would}added`, added),
    ...named(`${would}taken back`, returning),
    ...named(`${would}changed`, edited),
    ...named('not in the roster, and still in the class', gone),
    ...(unchanged > 0 ? [`${count(unchanged, 'person', 'people')} unchanged.`] : []),
  ]
}

function named(what: string, people: readonly (PersonChange | Person)[]): readonly string[] {
  if (people.length === 0) return []
  const names = people.slice(0, NAMED_MAX).map(({ name }) => safeLine(name))
  const more = people.length > NAMED_MAX ? `, and ${people.length - NAMED_MAX} more` : ''
  return [`${count(people.length, 'person', 'people')} ${what}: ${names.join(', ')}${more}.`]
}
