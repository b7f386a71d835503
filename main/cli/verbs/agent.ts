import { Option, type Command } from 'commander'
import { connectAgent } from '../../services/agents/connect-agent.ts'
import { readConditions } from '../../services/contests/descriptions/contest-file.ts'
import { checkAgent } from '../../services/contests/command/check-agent.ts'
import { similarToFile, similarWords } from '../../services/agents/similarity/similar-agents.ts'
import { gameTexts } from '../../services/game-facts.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { requireDataFolder } from '../../services/machine/existing-class.ts'
import { readTextFile } from '../../services/files/read-file.ts'
import { allowedAddresses, changeAllowList } from '../../services/machine/web-addresses.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import { addGroup, addVerb, dataOption, ownIsolationOption, type Context } from '../context.ts'
import { addGameOptions, gameSettings, type GameOptions } from '../game-options.ts'
import { stoppable, stoppedCode } from '../interrupt.ts'
import { verdictText } from '../terminal.ts'
import { count, faultLines, safeLine } from '../text.ts'
import { addSimilar, addSourceVerbs } from './agent-source.ts'

interface CheckOptions extends GameOptions {
  readonly contest?: string
  readonly isolation?: IsolationTier
}

interface AddressOptions {
  readonly allow?: readonly string[]
  readonly forbid?: readonly string[]
  readonly data?: string
}

/** `tartaglia agent check|addresses|reveal|source|similar|connect`. */
export function addAgent(program: Command, context: Context): void {
  const group = addGroup(program, 'agent', 'Agents: check, addresses, reveal, source, similar, connect')
  addCheck(group, context)
  addAddresses(group, context)
  addSourceVerbs(group, context)
  addSimilar(group, context)
  addConnect(group, context)
}

/** `tartaglia agent check`: exit code 0, or 1 if the agent fails its trial match. */
function addCheck(group: Command, context: Context): void {
  const { terminal, done } = context
  const check = addVerb(
    group,
    'check',
    'Play a trial match between an agent and baby',
    'tartaglia agent check my-agent.js',
  )
  addGameOptions(check, 'trial')
    .argument('<file>', "the agent's file")
    .addOption(
      new Option(
        '--contest <file>',
        'play under the conditions of this contest file: its game, settings, limits, clock, isolation and seats',
      ).conflicts(['game', 'config', ...gameTexts.keys()]),
    )
    .addOption(ownIsolationOption())
    .action(async (file: string, { isolation, contest, ...options }: CheckOptions) => {
      const { data } = options
      const chosen =
        contest === undefined
          ? await gameSettings(options, 'trial')
          : { ...(await readConditions(contest, data)), data }
      const { game } = chosen
      const verdict = await stoppable(
        context,
        'Stopping: the match is discarded. Press Ctrl-C again to quit at once.',
        (signal) =>
          checkAgent({
            ...chosen,
            file,
            ...(isolation === undefined ? {} : { isolation }),
            signal,
            onNotice: (text) => terminal.note(text),
          }),
      )
      const similar = verdict.ok ? await similarToFile({ file, game }) : []
      terminal.output('agent check', { ...verdict, similar })
      terminal.print(`${safeLine(file)}: ${verdictText(terminal, verdict)}`)
      if (verdict.packages.length > 0)
        terminal.print(`    needs these packages on the machine: ${safeLine(verdict.packages.join(', '))}`)
      const alike = similarWords(similar)
      if (alike !== null) terminal.note(`${alike} Hand in your own work, or say what you have taken over.`)
      const lines = faultLines(verdict.agent.faults)
      // The verdict is the first fault; it is repeated only with its number.
      if (verdict.agent.faults.length > 1) terminal.print(...lines.map((line) => `    ${safeLine(line)}`))
      for (const text of verdict.agent.console) {
        for (const line of text.trimEnd().split('\n')) terminal.print(`    printed: ${safeLine(line)}`)
      }
      done(verdict.ok ? 0 : 1)
    })
}

/** `tartaglia agent addresses`. */
function addAddresses(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'addresses',
    'List or change the allowed addresses of agents that are web applications',
    'tartaglia agent addresses --allow http://10.0.0.7:8080/anna',
  )
    .option('--allow <address...>', 'allow this address and those that begin with it')
    .option('--forbid <address...>', 'remove this address from the list')
    .addOption(dataOption())
    .action(async ({ allow = [], forbid = [], data = defaultDataFolder() }: AddressOptions) => {
      const changes = allow.length + forbid.length > 0
      // Allowing an address before the first contest creates the folder.
      if (allow.length === 0) requireDataFolder(data)
      const addresses = changes ? await changeAllowList(data, { allow, forbid }) : await allowedAddresses(data)
      terminal.output('agent addresses', { data, addresses })
      if (addresses.length === 0) terminal.print('No address is allowed, so no web application may play.')
      for (const address of addresses) terminal.print(safeLine(address))
    })
}

/** `tartaglia agent connect`: exit code 0, or that of a stop. */
function addConnect(group: Command, context: Context): void {
  const { terminal, done } = context
  addVerb(
    group,
    'connect',
    "Play in another machine's contest with a program on this machine",
    'tartaglia agent connect ws://10.0.0.5:8090 --credential key.txt -- python3 agent.py',
  )
    .argument('<url>', 'the address of the contest: ws://, wss:// or tcp://')
    .argument('<command...>', 'the command to run for each match, after --')
    .requiredOption('--credential <file>', 'a file that contains the credential and nothing else')
    .action(async (url: string, command: readonly [string, ...string[]], { credential }: { credential: string }) => {
      const key = (await readTextFile(credential)).trim()
      if (!/^[\w-]{1,200}$/.test(key))
        throw new ExpectedError(
          'usage',
          'input-invalid',
          `${credential} contains no credential; a credential is one word.`,
        )
      await stoppable(context, 'Stopping: an agent that leaves a contest cannot rejoin it.', async (signal) => {
        const matches = await connectAgent({
          url,
          credential: key,
          command,
          signal,
          onNotice: (text) => terminal.note(text),
          onPrinted: (text) => context.environment.stderr.write(text),
        })
        terminal.output('agent connect', { url, matches })
        terminal.print(`Played in ${count(matches, 'match', 'matches')}.`)
        done(signal.aborted ? stoppedCode : 0)
      })
    })
}
