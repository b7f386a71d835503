import type { Command } from 'commander'
import type { VerbOutput } from '../../contract/outputs/verb-outputs.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { knownSignersIn } from '../../services/histories/known-signers.ts'
import { showHistory } from '../../services/histories/verify-histories.ts'
import { addGroup, addVerb, dataOption, type Context } from '../context.ts'
import type { Terminal } from '../terminal.ts'
import { addHistoryExport } from './history-export.ts'
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
      const shown = await printHistory(terminal, file, data)
      terminal.output('history show', shown)
      context.done(shown.verdict?.ok === false ? 1 : 0)
    })

  addHistoryVerify(group, context)

  addHistoryExport(group, context)
}

/** Prints a history in sentences below its verdict, and returns them for --json. */
export async function printHistory(
  terminal: Terminal,
  file: string,
  data: string,
): Promise<VerbOutput<'history show'>> {
  const { verdict, lines } = await showHistory(file, await knownSignersIn(data))
  terminal.print(verdict === null ? unverified : verdictLine(terminal, verdict))
  const kept: string[] = []
  for (const line of lines) {
    if (terminal.json && kept.length < JSON_LINES_MAX) kept.push(line)
    terminal.print(line)
  }
  return { file, verdict, lines: kept }
}

/** The maximum number of lines in the answer in JSON. */
const JSON_LINES_MAX = 1_000_000

const unverified = 'Not verified: this is a segment of a contest. Export its matches to verify them.'
