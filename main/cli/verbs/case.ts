import { InvalidArgumentError, Option, type Command } from 'commander'
import {
  exportCaseRecord,
  listCaseRecords,
  showCaseRecord,
  verifyCaseRecord,
} from '../../services/cases/case-command.ts'
import type { NotedHead } from '../../services/cases/verify-case.ts'
import { knownSignersIn } from '../../services/histories/known-signers.ts'
import { givenKeys } from '../../services/histories/verify-histories.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { addGroup, addVerb, dataOption, folderName, type Context } from '../context.ts'
import { safeLine, table } from '../text.ts'
import { verdictLine } from './history-verify.ts'

interface Data {
  readonly data?: string
}

const verifyHelp = `
Exit codes: 0 genuine, 4 intact with an unknown signer, 1 not genuine.

The holder of the class's key can sign a whole record again. Give the heads that
you have noted, such as those that the program showed after your own steps: an
entry before one of them that was changed afterwards is found.`

/** `tartaglia case list|show|verify|export`: the hearings of a class. */
export function addCase(program: Command, context: Context): void {
  const { terminal } = context
  const group = addGroup(program, 'case', 'Hearings of the class: list, show, verify, export')

  addVerb(group, 'list', 'List the cases of the class', 'tartaglia case list --json')
    .addOption(dataOption())
    .action(async ({ data = defaultDataFolder() }: Data) => {
      const cases = await listCaseRecords(data)
      terminal.output('case list', { cases })
      const rows = cases.map((each) =>
        each.problem === null
          ? [each.case, each.contest, each.filer, each.other, each.rule, each.stage, each.deadline ?? '', each.outcome]
          : [each.case, '', '', '', '', 'damaged', '', each.problem],
      )
      terminal.print(...(rows.length === 0 ? ['The class has no cases.'] : table(columns, rows)))
    })

  addVerb(group, 'show', 'Show the record of a case in sentences', 'tartaglia case show case-1')
    .argument('<case>', 'the id of a case of the class, or the file of a record')
    .addOption(dataOption())
    .action(async (id: string, { data = defaultDataFolder() }: Data) => {
      const { folded, lines } = await showCaseRecord(data, id)
      const { stage, deadline, outcome, panel, chair, rulings } = folded.state
      const entries = folded.entries.map(({ b, h }) => ({ n: b.n, at: b.at, by: b.by, act: b.act, head: h }))
      terminal.output('case show', { case: folded.state.id, stage, deadline, outcome, panel, chair, rulings, entries })
      terminal.print(...lines.map((line) => safeLine(line)))
    })

  addVerb(
    group,
    'verify',
    'Verify the record of a case: chain, signatures, stages, lots, votes and rulings',
    'tartaglia case verify case-1 --key class.pub',
  )
    .argument('<case>', 'the id of a case of the class, or the file of a record')
    .option('--key <key>', 'the public key of the class (tartaglia-ed25519:...), or a file of it')
    .addOption(
      new Option('--head <n:head>', 'a head that you have noted: the number of an entry, a colon, and 64 hex digits')
        .argParser(notedHead)
        .default([]),
    )
    .addOption(dataOption())
    .addHelpText('after', verifyHelp)
    .action(async (id: string, { data = defaultDataFolder(), key, head: heads }: Verified) => {
      const signers = key === undefined ? await knownSignersIn(data) : givenKeys([key])
      const verdict = await verifyCaseRecord(data, id, { signers, mustBeKnown: key !== undefined, heads })
      terminal.output('case verify', verdict)
      terminal.print(verdictLine(terminal, verdict))
      context.done(verdict.ok ? (verdict.signer.name === null ? 4 : 0) : 1)
    })

  addVerb(
    group,
    'export',
    'Write the record of a case, and a page of it to read and print',
    'tartaglia case export case-1 --to hearings',
  )
    .argument('<case>', 'the id of a case of the class, or the file of a record')
    .addOption(new Option('--to <folder>', 'the folder to write the two files to').argParser(folderName).default('.'))
    .addOption(dataOption())
    .action(async (id: string, { data = defaultDataFolder(), to }: Data & { readonly to: string }) => {
      const files = await exportCaseRecord(data, id, to)
      terminal.output('case export', { case: id, files })
      terminal.print(...files.map((file) => safeLine(file)))
    })
}

type Verified = Data & { readonly key?: string; readonly head: readonly NotedHead[] }

const columns = ['case', 'contest', 'filed by', 'against', 'rule', 'stage', 'deadline', 'result'].map((title) => ({
  title,
  align: 'left' as const,
}))

function notedHead(text: string, before: readonly NotedHead[]): readonly NotedHead[] {
  const read = /^([1-9]\d{0,5}):([0-9a-f]{64})$/.exec(text)
  if (read === null) throw new InvalidArgumentError('It must be the number of an entry, a colon and 64 hex digits.')
  return [...before, { n: Number(read[1]), head: read[2]! }]
}
