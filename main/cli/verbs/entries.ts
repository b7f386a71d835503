import type { Command } from 'commander'
import type { EntrySchool, EntryStanding, EntryStatement } from '../../contract/contests/entries.ts'
import { importEntriesFile, showEntriesFile } from '../../services/entries/entries-command.ts'
import { exportEntries } from '../../services/entries/export-entries.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { addGroup, addVerb, dataOption, type Context } from '../context.ts'
import { count, left, safeLine, tableOf } from '../text.ts'

interface ExportOptions {
  readonly data?: string
  readonly school?: string
  readonly showSource?: boolean
  readonly overwrite?: boolean
}

/** `tartaglia entries export|show|import`: agents for the contests of other classes and schools. */
export function addEntries(program: Command, context: Context): void {
  const { terminal } = context
  const group = addGroup(program, 'entries', 'Entries for contests of other schools: export, show, import')

  addVerb(
    group,
    'export',
    'Export agents of this class, signed with its key, for the contests of other classes and schools',
    'tartaglia entries export padova.entries anna bert --school "Liceo Padova"',
  )
    .argument('<file>', 'the file to write')
    .argument('<agents...>', 'agents of the class, by name: the newest version, or NAME@HASH for another one')
    .option('--school <name>', 'the name of this class or school for others (default: as in its settings)')
    .option('--show-source', 'other classes may see the source of these agents')
    .option('--overwrite', 'replace the file if it exists')
    .addOption(dataOption())
    .action(async (path: string, agents: string[], options: ExportOptions) => {
      const { data = defaultDataFolder(), school, showSource = false, overwrite = false } = options
      const exported = await exportEntries(data, { school, agents, showSource }, { path, overwrite })
      terminal.output('entries export', { file: path, ...exported })
      const told = `${safeLine(path)}: ${count(exported.entries.length, 'entry', 'entries')} of ${safeLine(exported.school)}`
      terminal.print(...entryTable(exported.entries), '', `${told}, signed with the key of this class.`)
      terminal.print(
        `Tell the other school the fingerprint of the key by another channel, such as the telephone: ${exported.fingerprint}`,
      )
    })

  addVerb(group, 'show', 'Check an entries file and list what is in it', 'tartaglia entries show padova.entries')
    .argument('<file>', 'an entries file')
    .addOption(dataOption())
    .action(async (file: string, { data = defaultDataFolder() }: { data?: string }) => {
      const shown = await showEntriesFile(data, file)
      terminal.output('entries show', { file, ...shown })
      terminal.print(...entryTable(shown.entries), '', schoolLine(shown.school), `Its key: ${shown.key}`)
    })

  addVerb(
    group,
    'import',
    'Add the entries of another class or school to this class',
    'tartaglia entries import padova.entries --trust "Liceo Padova"',
  )
    .argument('<file>', 'an entries file')
    .option(
      '--trust <name>',
      'trust the key that signed them from now on, under this name; compare its fingerprint first',
    )
    .addOption(dataOption())
    .action(async (file: string, { data = defaultDataFolder(), trust }: { data?: string; trust?: string }) => {
      const added = await importEntriesFile(data, file, trust ?? null)
      terminal.output('entries import', { file, ...added })
      terminal.print(
        ...added.entries.map(({ name, standing, statement }) => {
          const pseudonym = name === statement.name ? '' : ` (there: "${safeLine(statement.name)}")`
          return `"${safeLine(name)}"${pseudonym}, ${statement.game}: ${standingWords[standing]}.`
        }),
        schoolLine(added.school),
      )
    })
}

const standingWords: Readonly<Record<EntryStanding, string>> = {
  agent: 'a new agent',
  version: 'a new version',
  older: 'an older version than the one before; it is the newest one here now',
  same: 'the class has this version already',
}

function entryTable(entries: readonly EntryStatement[]): readonly string[] {
  return tableOf(entries, [
    left('pseudonym', ({ name }) => name),
    left('game', ({ game }) => game),
    left('kind', ({ kind }) => kind),
    left('package', ({ package: agent }) => agent.slice(0, 12)),
    left('handed in', ({ submitted }) => submitted),
  ])
}

function schoolLine({ name, fingerprint, trusted }: EntrySchool): string {
  const known = trusted ? 'a key that this class trusts' : 'a key that this class does not trust'
  return `Entries of ${safeLine(name)}, signed with ${known}, fingerprint ${fingerprint}.`
}
