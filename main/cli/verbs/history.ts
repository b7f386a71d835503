import { InvalidArgumentError, Option, type Command } from 'commander'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { knownSignersIn } from '../../services/histories/known-signers.ts'
import { showHistory } from '../../services/histories/verify-histories.ts'
import { exportContest } from '../../services/histories/export-histories.ts'
import { addGroup, addVerb, dataOption, folderName, type Context } from '../context.ts'
import { count, safeLine } from '../text.ts'
import { addHistoryList } from './history-list.ts'
import { addHistoryVerify, verdictLine } from './history-verify.ts'

/** `tartaglia history list|show|verify|export`. */
export function addHistory(program: Command, context: Context): void {
  const { terminal } = context
  const group = addGroup(program, 'history', 'Histories of matches: list, show, verify, export')

  addHistoryList(group, context)

  addVerb(
    group,
    'show',
    'Show a history in sentences, with the verdict in its first line',
    'tartaglia history show match-0001.jsonl',
  )
    .argument('<file>', 'an exported match, or a segment')
    .addOption(dataOption())
    .action(async (file: string, { data = defaultDataFolder() }: { data?: string }) => {
      const { verdict, lines } = await showHistory(file, await knownSignersIn(data))
      terminal.print(verdict === null ? unverified : verdictLine(terminal, verdict))
      const kept: string[] = []
      for (const line of lines) {
        if (terminal.json && kept.length < JSON_LINES_MAX) kept.push(line)
        terminal.print(line)
      }
      terminal.result({ file, verdict, lines: kept })
      context.done(verdict?.ok === false ? 1 : 0)
    })

  addHistoryVerify(group, context)

  addVerb(
    group,
    'export',
    'Export matches of a contest, one file each, together with the public key',
    'tartaglia history export sample-contest-1 0 12 --to histories',
  )
    .argument('<contest>', 'its id in `tartaglia contest list`')
    .argument('[matches...]', 'their numbers (default: all finished matches)', matchNumbers, [])
    .addOption(dataOption())
    .addOption(
      new Option('--to <folder>', 'the folder to write the files to').argParser(folderName).makeOptionMandatory(),
    )
    .action(async (contest: string, matches: readonly number[], options: { data?: string; to: string }) => {
      const { data = defaultDataFolder(), to } = options
      const exported = await exportContest({ data, contest, to, ...(matches.length === 0 ? {} : { matches }) })
      terminal.result({ contest, to, histories: [...exported.files].map(([match, file]) => ({ match, file })) })
      terminal.print(`${count(exported.count, 'history', 'histories')} of ${safeLine(contest)} in ${safeLine(to)}.`)
    })
}

/** The maximum number of lines in the answer in JSON. */
const JSON_LINES_MAX = 1_000_000

const unverified = 'Not verified: this is a segment of a contest. Export its matches to verify them.'
/** Parses match numbers; drops duplicates. */
function matchNumbers(text: string, before: readonly number[]): readonly number[] {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of at least 0.')
  const number = Number(text)
  return before.includes(number) ? before : [...before, number]
}
