import type { Command } from 'commander'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import type { DoctorFinding } from '../../contract/procedures/answers.ts'
import { attackTiers, examineMachine } from '../../services/machine/doctor.ts'
import { addVerb, dataOption, type Context } from '../context.ts'
import type { Style } from '../terminal.ts'
import { safeLine } from '../text.ts'

const styles: Readonly<Record<DoctorFinding['verdict'], Style>> = { good: 'green', weak: 'yellow', bad: 'red' }

/** `tartaglia doctor`: exit code 0, or 3 if contests cannot run on this machine. */
export function addDoctor(program: Command, { terminal, done }: Context): void {
  addVerb(program, 'doctor', 'Check this machine: Node, cores, memory, isolation, data folder', 'tartaglia doctor')
    .addOption(dataOption())
    .option('--quick', 'skip the attacks that test the isolation')
    .action(async (options: { data?: string; quick?: true }) => {
      if (options.quick === undefined) terminal.note('Testing the isolation of agents; this takes a few seconds...')
      const attacks = options.quick === undefined ? await attackTiers() : null
      const findings = await examineMachine(options.data ?? defaultDataFolder(), attacks)
      const ok = findings.every(({ verdict }) => verdict !== 'bad')
      const width = Math.max(...findings.map(({ name }) => name.length))
      for (const { name, verdict, text, advice } of findings) {
        terminal.print(
          `${terminal.paint(styles[verdict], verdict.padEnd(4))}  ${name.padEnd(width)}  ${safeLine(text)}`,
        )
        if (advice !== undefined) terminal.print(`${' '.repeat(width + 8)}${advice}`)
        // Without isolation the attacks must succeed; that shows only that they are real.
        const { checks } = attacks?.find(({ tier }) => tier === name) ?? { checks: [] }
        for (const { holds, name: attack } of checks) {
          const told = terminal.paint(holds ? 'green' : 'red', holds ? 'held' : 'FAILED')
          terminal.print(`${' '.repeat(width + 8)}${told}  ${attack}`)
        }
      }
      terminal.result({ ok, findings, attacks })
      done(ok ? 0 : 3)
    })
}
