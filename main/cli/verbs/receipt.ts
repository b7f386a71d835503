import type { Command } from 'commander'
import { verifyReceipts, type ReceiptVerdict } from '../../services/hand-in/verify-receipts.ts'
import { knownSignersIn } from '../../services/histories/known-signers.ts'
import { givenKeys } from '../../services/histories/verify-histories.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { addGroup, addVerb, dataOption, type Context } from '../context.ts'
import type { Terminal } from '../terminal.ts'
import { count, safeLine } from '../text.ts'

/** The verdicts on a file, best first, and the exit code of each, as of `history verify`; the worst of all files counts. */
const exitCodes = { genuine: 0, 'signer-unknown': 4, 'not-genuine': 1, unreadable: 2 } as const
const bestFirst = Object.keys(exitCodes) as readonly (keyof typeof exitCodes)[]

const verdictHelp = `
Verdicts and exit codes (of several files, the worst):
  0  genuine: unchanged, and signed with the key given with --key, or without
     --key with that of the class in the data folder or one that it trusts
  4  intact, signer unknown: unchanged, but the signature could not be checked
  1  not genuine: changed, incomplete, out of order, dated back, not signed
     with --key, or missing in a chain that was given too
  2  a file that cannot be read

A chain (receipts/chain.jsonl in a data folder) has the receipts of all hand-ins
of a class. Give it together with receipts to see that they stand in it.`

/** `tartaglia receipt verify FILE... [--key KEY]`: receipts of hand-ins, and chains of them. */
export function addReceipt(program: Command, context: Context): void {
  const group = addGroup(program, 'receipt', 'Receipts of agents that were handed in: verify')
  addVerb(
    group,
    'verify',
    'Verify receipts of hand-ins: unchanged, and signed by the class',
    'tartaglia receipt verify receipt-17.json --key class.pub',
  )
    .argument('<files...>', 'receipts, and chains of all receipts of a class')
    .option('--key <key>', 'the public key of the class (tartaglia-ed25519:...), or a file of it')
    .addOption(dataOption())
    .addHelpText('after', verdictHelp)
    .action(async (files: string[], { key, data = defaultDataFolder() }: { key?: string; data?: string }) => {
      const signers = key === undefined ? await knownSignersIn(data) : givenKeys([key])
      const verdicts = await verifyReceipts(files, signers, key !== undefined)
      for (const verdict of verdicts) show(context.terminal, verdict)
      const worst = bestFirst.findLast((each) => verdicts.some(({ verdict }) => verdict === each)) ?? 'genuine'
      context.terminal.output('receipt verify', { ok: worst === 'genuine', files: verdicts })
      context.done(exitCodes[worst])
    })
}

function show(terminal: Terminal, found: ReceiptVerdict): void {
  const file = safeLine(found.file)
  if (found.verdict === 'unreadable') return terminal.note(safeLine(found.message))
  if (found.verdict === 'not-genuine')
    return terminal.print(`${terminal.paint('red', `${file}:${found.line}:`)} not genuine: ${safeLine(found.message)}`)
  const { receipts, receipt, head, signer } = found
  const verdict =
    signer === null
      ? terminal.paint('yellow', 'intact, signer unknown')
      : `${terminal.paint('green', 'genuine')}, signed by ${safeLine(signer)}`
  if (receipts > 1)
    return terminal.print(`${file}: ${verdict}, ${count(receipts, 'receipt', 'receipts')}, head ${head}`)
  const { n, team, agent, version, sha256, received, contest, time } = receipt
  const where = contest === null ? '' : ` for ${contest}`
  const when = { 'on-time': 'on time', late: 'late', kept: 'too late, does not count' }[time]
  terminal.print(
    `${file}: ${verdict}`,
    `  receipt ${n}: the team "${safeLine(team)}" handed in version ${version} of "${safeLine(agent)}"${where} at ${received} (${when})`,
    `  SHA-256 of the file: ${sha256}`,
  )
}
