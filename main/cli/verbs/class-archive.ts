import { InvalidArgumentError, type Command } from 'commander'
import type { Counts } from '../../services/archive/manifest.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { readBytes } from '../../services/files/read-file.ts'
import { addVerb, dataOption, folderName, type Context } from '../context.ts'
import { count, safeLine } from '../text.ts'

interface Data {
  readonly data?: string
}

// The rooms are imported where they are used: they are large, and no other verb needs them.

/** `tartaglia class export|import|new-term|sample-term`: a class as one file, over years, and one to explore. */
export function addClassArchive(group: Command, context: Context): void {
  const { terminal } = context
  addVerb(
    group,
    'export',
    'Write the whole class as one file, with its keys and accounts; close the classroom before',
    'tartaglia class export algebra-2026.tar.gz',
  )
    .argument('<file>', 'the file to write')
    .option('--age <recipient>', 'encrypt it with age for the holder of this key (age1...)')
    .option('--overwrite', 'replace an existing file')
    .addOption(dataOption())
    .action(
      async (
        file: string,
        {
          data = defaultDataFolder(),
          age = null,
          overwrite = false,
        }: Data & { age?: string | null; overwrite?: boolean },
      ) => {
        const { exportClass } = await import('../../services/archive/export-class.ts')
        const done = await exportClass(data, { path: file, overwrite }, age)
        terminal.output('class export', { file, encrypted: age !== null, ...done })
        terminal.print(
          `${countsLine(done.counts)} in ${count(done.files, 'file', 'files')} written to ${safeLine(file)}.`,
        )
        if (done.leftOut.length > 0)
          terminal.note(`Left out, because it belongs to no class: ${done.leftOut.map(safeLine).join(', ')}.`)
        if (age === null)
          terminal.note(
            'It holds the names of the people, the key of the class and its certificate: keep it like the class itself.',
          )
      },
    )

  addVerb(
    group,
    'import',
    'Make the class of an export in an empty or new folder',
    'tartaglia class import algebra-2026.tar.gz --data algebra',
  )
    .argument('<file>', 'a file that "class export" has written')
    .option('--identity <file>', 'the file with the private key for an encrypted export, as age-keygen writes it')
    .addOption(dataOption())
    .action(async (file: string, { data = defaultDataFolder(), identity }: Data & { identity?: string }) => {
      const { importClass } = await import('../../services/archive/import-class.ts')
      const identities =
        identity === undefined ? null : (await readBytes(identity, IDENTITY_BYTES_MAX)).toString('utf8')
      const { program, made, counts, files, makesBackups, paused } = await importClass(file, data, { identities })
      terminal.output('class import', { data, program, made, counts, files: files.length, makesBackups, paused })
      terminal.print(`${countsLine(counts)} of ${made.slice(0, 10)} are now the class in ${safeLine(data)}.`)
      if (paused > 0)
        terminal.note(
          `${count(paused, 'contest that ran or recurs is', 'contests that ran or recur are')} paused: go on with them only if the class goes on here, and no longer where it was exported.`,
        )
      if (!makesBackups)
        terminal.note('It makes no backups by itself: set a folder for them in Settings, or with "serve --backups".')
    })

  addNewTerm(group, context)
  addSampleTerm(group, context)
}

interface NewTermChoices extends Data {
  readonly from: string
  readonly firstDay?: string
  readonly oldAgents?: true
}

function addNewTerm(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'new-term',
    'Make a class for a new term from an old one: its contests with moved dates, challenges, settings; no people',
    'tartaglia class new-term --from algebra-2026 --data algebra-2027 --first-day 2027-02-22',
  )
    .requiredOption('--from <folder>', 'the data folder of the old class, which is only read', folderName)
    .option('--first-day <date>', 'the first day of the new term (default: today)', calendarDay)
    .option('--old-agents', 'keep the active agents of all teams, as agents of the educator')
    .addOption(dataOption())
    .action(async ({ from, data = defaultDataFolder(), firstDay, oldAgents }: NewTermChoices) => {
      const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
      const { newTerm } = await import('../../services/archive/new-term.ts')
      const choices = { firstDay: firstDay ?? null, oldAgents: oldAgents === true }
      const made = await newTerm(from, data, { ...choices, now: Date.now(), zone })
      terminal.output('class new-term', { data, ...made })
      const { contests, agents, leftOut } = made
      const agentCount = count(agents.length, 'agent', 'agents')
      terminal.print(
        `${safeLine(data)} has ${count(contests.length, 'contest', 'contests')} and ${agentCount}, and no people.`,
        ...contests.map(
          ({ title, closes }) => `  ${safeLine(title)}: until ${closes.slice(0, 16).replace('T', ' ')} UTC`,
        ),
      )
      for (const { title } of contests.filter(({ isOver }) => isOver))
        terminal.note(`Nobody can register for ${safeLine(title)}: its time is over. Move its deadline, or cancel it.`)
      for (const sentence of leftOut) terminal.note(`Not planned again: ${safeLine(sentence)}`)
    })
}

function addSampleTerm(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'sample-term',
    'Make a class in the sixth week of a term, to explore: teams, contests, hearings',
    'tartaglia class sample-term --data sample-term',
  )
    .requiredOption('--data <folder>', 'an empty or new folder', folderName)
    .action(async ({ data }: { data: string }) => {
      const { makeSampleTerm } = await import('../../app/sample-term/sample-term.ts')
      const made = await makeSampleTerm(data, Date.now(), (step) => terminal.note(`${step}...`))
      terminal.output('class sample-term', { data, ...made })
      terminal.print(
        `A class in the sixth week of its term is in ${safeLine(data)}: open it with "serve --data" or "npm start -- --data".`,
      )
    })
}

/** Parses an option's value as a day of the calendar. */
function calendarDay(text: string): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN)
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('It must be a day such as 2027-02-22.')
  return text
}

const IDENTITY_BYTES_MAX = 65_536

function countsLine({ people, agents, contests }: Counts): string {
  return [
    count(people, 'person', 'people'),
    count(agents, 'version of agents', 'versions of agents'),
    count(contests, 'contest', 'contests'),
  ].join(', ')
}
