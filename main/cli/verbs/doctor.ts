import type { Command } from 'commander'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import type { DoctorFinding } from '../../contract/procedures/answers.ts'
import { attackTiers, examineMachine } from '../../services/machine/doctor.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { fixesFor, runFixes, type Fix } from '../../services/machine/fixes.ts'
import { isolationTiers } from '../../services/machine/isolation.ts'
import { addVerb, dataOption, type Context } from '../context.ts'
import type { Style, Terminal } from '../terminal.ts'
import { safeLine } from '../text.ts'

const styles: Readonly<Record<DoctorFinding['verdict'], Style>> = { good: 'green', weak: 'yellow', bad: 'red' }

/** `tartaglia doctor`: exit code 0, or 3 if contests cannot run on this machine. */
export function addDoctor(program: Command, { terminal, done }: Context): void {
  addVerb(program, 'doctor', 'Check this machine: Node, cores, memory, isolation, data folder', 'tartaglia doctor')
    .addOption(dataOption())
    .option('--quick', 'skip the attacks that test the isolation')
    .option('--fix', 'show the commands that mend what is missing, and run nothing')
    .option('--yes', 'with --fix: run them')
    .action(async (options: { data?: string; quick?: true; fix?: true; yes?: true }) => {
      if (options.yes && !options.fix)
        throw new ExpectedError('usage', 'option-missing', '--yes needs --fix, whose commands it runs.')
      const data = options.data ?? defaultDataFolder()
      const before = await examined(terminal, data, options.quick === true)
      const fixes = options.fix === undefined ? null : await mend(terminal, options.yes === true)
      const isMended = fixes !== null && fixes.length > 0 && fixes.every(({ code }) => code === 0)
      const { findings, attacks } = isMended ? await examined(terminal, data, options.quick === true) : before
      const ok = findings.every(({ verdict }) => verdict !== 'bad')
      terminal.output('doctor', { ok, findings, attacks, ...(fixes && { fixes }) })
      const hasFailed = fixes?.some(({ code }) => code !== null && code !== 0) ?? false
      done(ok && !hasFailed ? 0 : 3)
    })
}

/** Examines the machine and prints what it finds. `attacks` null: the isolation was not tested. */
async function examined(
  terminal: Terminal,
  data: string,
  isQuick: boolean,
): Promise<{
  readonly findings: readonly DoctorFinding[]
  readonly attacks: Awaited<ReturnType<typeof attackTiers>> | null
}> {
  if (!isQuick) terminal.note('Testing the isolation of agents; this takes a few seconds...')
  const attacks = isQuick ? null : await attackTiers()
  const findings = await examineMachine(data, attacks)
  const width = Math.max(...findings.map(({ name }) => name.length))
  for (const { name, verdict, text, advice } of findings) {
    terminal.print(`${terminal.paint(styles[verdict], verdict.padEnd(4))}  ${name.padEnd(width)}  ${safeLine(text)}`)
    if (advice !== undefined) terminal.print(`${' '.repeat(width + 8)}${advice}`)
    // Without isolation the attacks must succeed; that shows only that they are real.
    const { checks } = attacks?.find(({ tier }) => tier === name) ?? { checks: [] }
    for (const { holds, name: attack } of checks) {
      const told = terminal.paint(holds ? 'green' : 'red', holds ? 'held' : 'FAILED')
      terminal.print(`${' '.repeat(width + 8)}${told}  ${attack}`)
    }
  }
  return { findings, attacks }
}

/** `code`: the exit code; null: it has not run. */
type Tried = Fix & { readonly code: number | null }

/** Shows the commands that mend what is missing, and runs them if told so. */
async function mend(terminal: Terminal, isRun: boolean): Promise<readonly Tried[]> {
  const fixes = fixesFor(await isolationTiers())
  terminal.print('')
  if (fixes.length === 0) {
    terminal.print('No command is known that would mend anything here.')
    return []
  }
  if (!isRun) {
    terminal.print('These commands mend it. Nothing was run; "tartaglia doctor --fix --yes" runs them:')
    terminal.print(...fixes.map(({ command }) => `  ${safeLine(command)}`))
    return fixes.map((fix) => ({ ...fix, code: null }))
  }
  const codes = await runFixes(fixes, ({ command }) => terminal.note(`Running: ${command}`))
  const tried = fixes.map((fix, at) => ({ ...fix, code: codes[at] ?? null }))
  const failed = tried.find(({ code }) => code !== null && code !== 0)
  if (failed === undefined) terminal.print('All of them succeeded. The machine is examined again:')
  else terminal.print(`This command ended with ${failed.code}, and no later one was run: ${safeLine(failed.command)}`)
  return tried
}
