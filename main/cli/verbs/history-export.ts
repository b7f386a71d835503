import { InvalidArgumentError, Option, type Command } from 'commander'
import { ExpectedError } from '../../contract/expected-error.ts'
import { historyFilter } from '../../contract/histories/history-procedures.ts'
import { complaintSentence, parsePlainly } from '../../contract/complaints.ts'
import { exportPage } from '../../services/matches/export-page.ts'
import { exportArchive, exportContest } from '../../services/histories/export-histories.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { addVerb, dataOption, folderName, type Context } from '../context.ts'
import type { Terminal } from '../terminal.ts'
import { count, safeLine } from '../text.ts'

interface Options {
  readonly data?: string
  readonly to?: string
  readonly archive?: string
  readonly html?: string
  readonly search?: string
  readonly game?: string
  readonly subject?: string
  readonly player: readonly string[]
  readonly faults?: true
}

const help = `
An archive (.tar) contains the public key of the class as histories/class.pub and
each match as histories/CONTEST/match-0001.jsonl, beside it the comments on its
events, if any. Verify it as it is or unpacked:
  tartaglia history verify week.tar --key KEY
The key in an archive proves nothing: compare its fingerprint with the class's.
With --html, one match becomes a page that any browser opens without a network:
the match view, the rules of the game, the verdict on the history, and the history
itself. It holds what the exported history holds, and has at most 3 MB.
Without a contest, an archive contains those matches of all contests that fit all
of the options --search, --game, --subject, --player and --faults.`

/** `tartaglia history export [contest] [matches...]`: as files in a folder, or as one archive. */
export function addHistoryExport(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'export',
    'Export matches with the public key of their class: as files in a folder, as one archive, or one match as a page',
    'tartaglia history export sample-contest-1 0 12 --to histories',
  )
    .argument('[contest]', 'its id in `tartaglia contest list`')
    .argument('[matches...]', 'their numbers (default: all finished matches)', matchNumbers, [])
    .addOption(dataOption())
    .addOption(new Option('--to <folder>', 'the folder to write the files to').argParser(folderName))
    .addOption(
      new Option('--archive <file>', 'the archive to write, such as week.tar').argParser(folderName).conflicts('to'),
    )
    .addOption(
      new Option('--html <file>', 'the page to write, with one match in it, such as match.html')
        .argParser(folderName)
        .conflicts(['to', 'archive']),
    )
    .option('--search <text>', "a part of a contest's title or id, or of a player's name")
    .option('--game <game>', 'matches of this game')
    .option('--subject <name>', 'matches about this, such as the name of their challenge')
    .option('--player <name>', 'matches of this player; give it twice for matches of two', repeated, [])
    .option('--faults', 'matches in which somebody had a fault or was removed')
    .addHelpText('after', help)
    .action((contest: string | undefined, matches: readonly number[], options: Options) => {
      if (options.html !== undefined) return exportHtml(terminal, contest, matches, { ...options, html: options.html })
      return options.archive === undefined
        ? exportFolder(terminal, contest, matches, options)
        : exportOne(terminal, contest, matches, { ...options, archive: options.archive })
    })
}

async function exportFolder(
  terminal: Terminal,
  contest: string | undefined,
  matches: readonly number[],
  { data = defaultDataFolder(), to, ...options }: Options,
): Promise<void> {
  if (to === undefined)
    throw new ExpectedError(
      'usage',
      'option-missing',
      'Say where to export: --to FOLDER, --archive FILE, or --html FILE.',
    )
  if (contest === undefined)
    throw new ExpectedError(
      'usage',
      'argument-missing',
      'A folder takes matches of one contest: name it, or use --archive.',
    )
  if (isFiltered(options)) throw onlyForArchives()
  const exported = await exportContest({ data, contest, to, ...(matches.length === 0 ? {} : { matches }) })
  terminal.output('history export', {
    contest,
    to,
    histories: [...exported.files].map(([match, file]) => ({ match, file })),
  })
  terminal.print(`${count(exported.count, 'history', 'histories')} of ${safeLine(contest)} in ${safeLine(to)}.`)
}

async function exportHtml(
  terminal: Terminal,
  contest: string | undefined,
  matches: readonly number[],
  { data = defaultDataFolder(), html, ...options }: Options & { readonly html: string },
): Promise<void> {
  const [match, ...others] = matches
  if (contest === undefined || match === undefined || others.length > 0)
    throw new ExpectedError('usage', 'argument-missing', 'A page has one match: name its contest and its number.')
  if (isFiltered(options)) throw onlyForArchives()
  const { bytes, verdict } = await exportPage({ data, contest, match, html })
  terminal.output('history export', { html, contest, match, bytes, verdict })
  terminal.print(`Match ${match} of ${safeLine(contest)} in ${safeLine(html)}, ${bytes} bytes.`)
}

async function exportOne(
  terminal: Terminal,
  contest: string | undefined,
  matches: readonly number[],
  { data = defaultDataFolder(), archive, ...options }: Options & { readonly archive: string },
): Promise<void> {
  if (matches.length > 0 && isFiltered(options)) throw onlyForArchives()
  const { search, game, subject, player, faults } = options
  const filter = parsePlainly(historyFilter, { search, game, subject, agents: player, faults })
  if (!filter.ok) throw new ExpectedError('usage', 'input-invalid', complaintSentence(filter.complaint))
  const written = await exportArchive({
    data,
    archive,
    filter: filter.value,
    ...(contest === undefined ? {} : { contest }),
    ...(matches.length === 0 ? {} : { matches }),
  })
  terminal.output('history export', { archive, matches: written.count, bytes: written.bytes, leftOut: written.leftOut })
  for (const sentence of written.leftOut) terminal.note(`Left out: ${sentence}`)
  terminal.print(`${count(written.count, 'history', 'histories')} in ${safeLine(archive)}, ${written.bytes} bytes.`)
}

function isFiltered({
  search,
  game,
  subject,
  player,
  faults,
}: Omit<Options, 'data' | 'to' | 'archive' | 'html'>): boolean {
  return [search, game, subject, faults].some((each) => each !== undefined) || player.length > 0
}

function onlyForArchives(): ExpectedError {
  return new ExpectedError(
    'usage',
    'options-conflict',
    'The options --search, --game, --subject, --player and --faults are for an --archive without numbers of matches.',
  )
}

function repeated(text: string, before: readonly string[]): readonly string[] {
  return [...before, text]
}

/** Parses match numbers; drops duplicates. */
function matchNumbers(text: string, before: readonly number[]): readonly number[] {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of at least 0.')
  const number = Number(text)
  return before.includes(number) ? before : [...before, number]
}
