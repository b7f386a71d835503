import type { Command } from 'commander'
import type { DossierReport } from '../../contract/evidence/dossier-report.ts'
import type { DossierItem, EvidenceVerdict } from '../../contract/evidence/dossiers.ts'
import { againWords } from '../../contract/evidence/rerun-words.ts'
import { checkDossierFile } from '../../services/evidence/dossier-command.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { addGroup, addVerb, dataOption, type Context } from '../context.ts'
import type { Terminal } from '../terminal.ts'
import { safe, safeLine } from '../text.ts'

/** The exit code of each verdict, as of `history verify`; the worst of the dossier and its histories counts. */
const exitCodes = { genuine: 0, 'signer-unknown': 4, 'not-genuine': 1 } as const satisfies Record<
  EvidenceVerdict,
  number
>
const bestFirst = ['genuine', 'signer-unknown', 'not-genuine'] as const
const words = { genuine: 'genuine', 'signer-unknown': 'intact, signer unknown', 'not-genuine': 'not genuine' } as const
const colours = { genuine: 'green', 'signer-unknown': 'yellow', 'not-genuine': 'red' } as const

const verdictHelp = `
Verdicts and exit codes (the worst of the dossier and its histories):
  0  genuine: intact, and signed with a known key: one given with --key, or
     without --key that of the class in the data folder or one that it trusts
  4  intact, signer unknown: nothing was changed, but anybody may have made it
  1  not genuine: something was changed or is missing, an event is not in its
     history, or it was not signed with --key
  2  it cannot be read, or is not a dossier

Notes are the words of the owner of the dossier: nothing proves them.`

/** `tartaglia dossier show|verify FILE [--key KEY]`: a dossier of evidence that somebody has as a zip or a folder. */
export function addDossier(program: Command, context: Context): void {
  const group = addGroup(program, 'dossier', 'Dossiers of evidence: show, verify')
  const verb = (
    name: 'verify' | 'show',
    about: string,
    print: (terminal: Terminal, report: DossierReport) => void,
  ): void => {
    addVerb(group, name, about, `tartaglia dossier ${name} dossier-week-1.zip --key class.pub`)
      .argument('<file>', 'a downloaded dossier: the zip, or the folder in it')
      .option('--key <key>', 'the public key of the class (tartaglia-ed25519:...), or a file of it')
      .addOption(dataOption())
      .addHelpText('after', verdictHelp)
      .action(async (file: string, { key, data = defaultDataFolder() }: { key?: string; data?: string }) => {
        const report = await checkDossierFile(file, key === undefined ? [] : [key], data)
        print(context.terminal, report)
        const verdicts = [report.verdict, ...report.histories.map(({ verdict }) => verdict)]
        const worst = bestFirst.findLast((each) => verdicts.includes(each)) ?? 'genuine'
        context.terminal.output(`dossier ${name}`, { ok: worst === 'genuine', ...report })
        context.done(exitCodes[worst])
      })
  }
  verb('verify', 'Verify a dossier: its histories, and that each event in it is in them', printVerdicts)
  verb('show', 'Show a dossier as text, with its verdicts', (terminal, report) => {
    printItems(terminal, report)
    printVerdicts(terminal, report)
  })
}

function printVerdicts(
  terminal: Terminal,
  { verdict, problem, signer, histories, items, others }: DossierReport,
): void {
  for (const { path, verdict: of, message } of histories)
    terminal.print(`${safeLine(path)}: ${painted(terminal, of)}${message === null ? '' : `: ${safeLine(message)}`}`)
  for (const [index, { problem: fault }] of items.entries())
    if (fault !== null) terminal.print(`Item ${index + 1} does not hold: ${safeLine(fault)}.`)
  for (const path of others) terminal.note(`${safeLine(path)} is not a part of the dossier.`)
  terminal.print(`The dossier: ${painted(terminal, verdict)}${problem === null ? '' : `: ${safeLine(problem)}`}`)
  if (signer !== null && problem === null)
    terminal.print(
      signer.name === null
        ? `Signed by nobody known, fingerprint ${signer.fingerprint}. If the class has given you ${signer.key}, use it as --key.`
        : `Signed by ${safeLine(signer.name)}, fingerprint ${signer.fingerprint}.`,
    )
}

const painted = (terminal: Terminal, verdict: EvidenceVerdict): string =>
  terminal.paint(colours[verdict], words[verdict])

function printItems(terminal: Terminal, { dossier, items }: DossierReport): void {
  if (dossier === null) return
  terminal.print(`${safeLine(dossier.title)}, a dossier of ${safeLine(dossier.by)}`)
  for (const [index, item] of dossier.items.entries()) {
    const told = items[index]?.told ?? null
    const lines = [...itemLines(item), ...(told === null ? [] : [`in the words of this version: ${told}`])]
    terminal.print(
      ...lines.map((line, at) => `${at === 0 ? `${index + 1}. ` : '   '}${safe(line).replaceAll('\n', '\n   ')}`),
    )
  }
}

function itemLines(item: DossierItem): readonly string[] {
  switch (item.kind) {
    case 'event': {
      const { contest, match, move, sentence } = item.reference
      const note = item.note.trim() === '' ? [] : [`note: ${item.note}`]
      return [`match ${match} of ${contest}, event ${move}: ${sentence}`, ...note]
    }
    case 'asked-again':
    case 'played-again': {
      const { contest, match, move, sentence } = item.reference
      const asked = item.kind === 'asked-again' ? item.asked : []
      const messages = asked.flatMap(({ message, recorded, given }) => [
        `asked: ${message}`,
        `recorded: ${recorded ?? 'no answer'}`,
        `answered now: ${given ?? 'no answer'}`,
      ])
      const did = item.kind === 'asked-again' ? 'asked' : 'played'
      return [
        `${did} again by the program of the class: match ${match} of ${contest}, event ${move}: ${sentence}`,
        ...againWords(item),
        `version: ${item.agent}`,
        ...messages,
      ]
    }
    case 'note':
      return [`note: ${item.text}`]
    case 'rule':
      return [`rule (${item.book}): ${item.text.trimEnd()}`]
    case 'verdict':
      return [`match ${item.match} of ${item.contest} was ${words[item.verdict]} on ${item.added}`, ...item.says]
  }
}
