import type { Command } from 'commander'
import { checkAgent } from '../../app/agents.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import { addGroup, addVerb, isolationOption, type Context } from '../context.ts'
import { addGameOptions, gameSettings, type GameOptions } from '../game-options.ts'
import { stoppable } from '../interrupt.ts'
import { safeLine } from '../text.ts'

/** `tartaglia agent check`: exit code 0, or 1 when the agent does not walk and talk. */
export function addAgent(program: Command, context: Context): void {
  const { terminal, done } = context
  const group = addGroup(program, 'agent', 'Agents: check')

  const check = addVerb(group, 'check', 'Let an agent play a match against a baby', 'tartaglia agent check my-agent.js')
  addGameOptions(check)
    .argument('<file>', "the agent's file")
    .addOption(isolationOption().default('bubblewrap'))
    .action(async (file: string, { isolation, ...options }: GameOptions & { isolation: IsolationTier }) => {
      const { game, config, data } = await gameSettings(options)
      const say = (): void => terminal.note('Stopping: the match is dropped. Ctrl-C again ends at once.')
      const verdict = await stoppable(context, say, (signal) =>
        checkAgent({
          file,
          game,
          config,
          data,
          isolation,
          signal,
          onNotice: (text) => terminal.note(text),
        }),
      )
      terminal.result(verdict)
      const mark = verdict.ok ? terminal.paint('green', 'fine') : terminal.paint('red', 'not fit to play')
      terminal.print(`${safeLine(file)}: ${mark}: ${safeLine(verdict.text)}`)
      for (const { kind, text } of verdict.agent.faults.slice(1)) terminal.print(`    ${kind}: ${safeLine(text)}`)
      for (const text of verdict.agent.console) {
        for (const line of text.trimEnd().split('\n')) terminal.print(`    printed: ${safeLine(line)}`)
      }
      done(verdict.ok ? 0 : 1)
    })
}
