import type { Command } from 'commander'
import { lackingToolchains, toolchainKinds } from '../../contract/players/toolchains.ts'
import { offeredInFile, toolchainsHere } from '../../services/machine/toolchains.ts'
import { addVerb, type Context } from '../context.ts'
import { left, tableOf } from '../text.ts'

/** `tartaglia toolchains [CONTEST.json]`: exit code 0, or 3 if this machine lacks what the contest offers. */
export function addToolchains(program: Command, { terminal, done }: Context): void {
  addVerb(
    program,
    'toolchains',
    'List the compilers and interpreters that programs find here, and those that a contest misses',
    'tartaglia toolchains contest.json',
  )
    .argument('[contest]', 'a contest file that names the toolchains that it offers')
    .action(async (file: string | undefined) => {
      const contest = file === undefined ? { toolchains: [], isolation: undefined } : await offeredInFile(file)
      const packages = contest.toolchains.flatMap((each) => each.packages ?? [])
      const found = await toolchainsHere(packages, contest.isolation)
      const lacking = lackingToolchains(contest.toolchains, found)
      const rows = found.map(({ name, version }) => ({ name, title: toolchainKinds[name].title, version }))
      terminal.print(
        ...tableOf(rows, [
          left('name', ({ name }) => name),
          left('toolchain', ({ title }) => title),
          left('version', ({ version }) => version ?? 'not found'),
        ]),
      )
      for (const each of lacking) terminal.print(`Missing for this contest: ${each}`)
      terminal.output('toolchains', { toolchains: rows, missing: lacking })
      done(lacking.length === 0 ? 0 : 3)
    })
}
