import type { Command } from 'commander'
import { connectAgent } from '../../services/agents/connect-agent.ts'
import { checkAgent } from '../../services/agents/agent-command.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { requireDataFolder } from '../../services/contests/existing-class.ts'
import { readTextFile } from '../../services/files/read-file.ts'
import { allowedAddresses, changeAllowList } from '../../services/machine/web-addresses.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import { addGroup, addVerb, dataOption, ownIsolationOption, type Context } from '../context.ts'
import { addGameOptions, gameSettings, type GameOptions } from '../game-options.ts'
import { stoppable, stoppedCode } from '../interrupt.ts'
import { count, safeLine } from '../text.ts'

/** `tartaglia agent check|addresses|connect`. Of check: exit code 0, or 1 when the agent does not walk and talk. */
export function addAgent(program: Command, context: Context): void {
  const { terminal, done } = context
  const group = addGroup(program, 'agent', 'Agents: check, addresses, connect')

  const check = addVerb(group, 'check', 'Let an agent play a match against a baby', 'tartaglia agent check my-agent.js')
  addGameOptions(check)
    .argument('<file>', "the agent's file")
    .addOption(ownIsolationOption())
    .action(async (file: string, { isolation, ...options }: GameOptions & { isolation?: IsolationTier }) => {
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

  addVerb(
    group,
    'addresses',
    'List where agents that are web applications may be, or change that',
    'tartaglia agent addresses --allow http://10.0.0.7:8080/anna',
  )
    .option('--allow <address...>', 'what is at this address or below it may play')
    .option('--forbid <address...>', 'take an address off the list')
    .addOption(dataOption())
    .action(async ({ allow = [], forbid = [], data = defaultDataFolder() }: AddressOptions) => {
      const changes = allow.length + forbid.length > 0
      // What is allowed before the first contest makes the folder.
      if (allow.length === 0) requireDataFolder(data)
      const addresses = changes ? await changeAllowList(data, { allow, forbid }) : await allowedAddresses(data)
      terminal.result({ data, addresses })
      if (addresses.length === 0) terminal.print('No web application may play: no address is allowed.')
      for (const address of addresses) terminal.print(safeLine(address))
    })

  addVerb(
    group,
    'connect',
    'Play in a contest of another machine with a program of this one',
    'tartaglia agent connect ws://10.0.0.5:8090 --credential key.txt -- python3 agent.py',
  )
    .argument('<url>', 'the address of the contest: ws://, wss:// or tcp://')
    .argument('<command...>', 'what is run for each match; put -- before it')
    .requiredOption('--credential <file>', 'a file that holds the credential and nothing else')
    .action(async (url: string, command: readonly [string, ...string[]], { credential }: { credential: string }) => {
      const key = (await readTextFile(credential)).trim()
      if (!/^[\w-]{1,200}$/.test(key))
        throw new ExpectedError('usage', `${credential} holds no credential, which is one word.`)
      const say = (): void => terminal.note('Stopping: whoever leaves a contest cannot come back into it.')
      await stoppable(context, say, async (signal) => {
        const matches = await connectAgent({
          url,
          credential: key,
          command,
          signal,
          onNotice: (text) => terminal.note(text),
          onPrinted: (text) => context.environment.stderr.write(text),
        })
        terminal.result({ url, matches })
        terminal.print(`Played in ${count(matches, 'match', 'matches')}.`)
        done(signal.aborted ? stoppedCode : 0)
      })
    })
}

interface AddressOptions {
  readonly allow?: readonly string[]
  readonly forbid?: readonly string[]
  readonly data?: string
}
