import { hash } from 'node:crypto'
import { statSync } from 'node:fs'
import { devNull } from 'node:os'
import { dirname, extname, join, resolve } from 'node:path'
import { Argument, InvalidArgumentError, type Command } from 'commander'
import { checkAgent } from '../../services/contests/command/check-agent.ts'
import { meaningOf, tryAgent, type TriedAgent } from '../../services/contests/command/try-agent.ts'
import { makeFolderOf, writeOutFile } from '../../services/files/output-file.ts'
import { ownAgent, withAgentFile, withPackedFile } from '../../services/agents/own-agent.ts'
import { gameOfKit, packAgent } from '../../services/packages/pack.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import { addVerb, exportOption, ownIsolationOption, type Context } from '../context.ts'
import { addGameOptions, gameSettings, withGame, type GameOptions } from '../game-options.ts'
import { stoppable } from '../interrupt.ts'
import { verdictText } from '../terminal.ts'
import { count, left, right, safeLine, tableOf } from '../text.ts'

interface TryOptions extends GameOptions {
  readonly matches: number
  readonly against?: readonly string[]
  readonly seed: string
  readonly export?: string
  readonly isolation?: IsolationTier
}

interface PackOptions extends GameOptions {
  readonly name?: string
  readonly out?: string
  readonly isolation?: IsolationTier
}

/** `tartaglia try`, `tartaglia pack`: what a student does with their own agent. */
export function addOwnAgent(program: Command, context: Context): void {
  addTry(program, context)
  addPack(program, context)
}

function addTry(program: Command, context: Context): void {
  const { terminal } = context
  const verb = addVerb(
    program,
    'try',
    'Play an agent many times against others, and show how sure the result is',
    'tartaglia try agent.cjs --matches 50 --against baby old.cjs',
  )
  addGameOptions(verb, 'single')
    .argument('[agent]', "the agent's file or folder (default: the one in this folder)")
    .option('--matches <number>', 'matches with each opponent, in swapped seats in turn', matchesOf, 50)
    .option('--against <agents...>', 'files, or names of built-in agents (default: all that come with the game)')
    .option('--seed <text>', 'any text; the same seed gives the same matches', 'tartaglia')
    .addOption(exportOption('match'))
    .addOption(ownIsolationOption())
    .action(async (named: string | undefined, options: TryOptions, command: Command) => {
      const { matches, against = [], seed, isolation, export: exportTo, ...given } = options
      const { agent, game: own } = ownAgent(named)
      const game = await gameSettings(withGame(given, command, own), 'single')
      const tried = await stoppable(
        context,
        'Stopping: the matches are discarded. Press Ctrl-C again to quit at once.',
        (signal) =>
          withAgentFile(agent, game.game, (file) =>
            tryAgent({
              ...game,
              file,
              against,
              matches,
              seed,
              isolation,
              ...(exportTo === undefined ? {} : { exportTo }),
              signal,
              onNotice: (text) => terminal.note(text),
              onOpponent: (name) =>
                terminal.note(`Playing ${count(matches, 'match', 'matches')} against ${safeLine(name)}.`),
            }),
          ),
      )
      terminal.output('try', { ...tried, file: agent })
      terminal.print(...triedLines(tried))
    })
}

function addPack(program: Command, context: Context): void {
  const { terminal, done } = context
  const verb = addVerb(
    program,
    'pack',
    'Make the file of an agent that is handed in, without junk, and check it',
    'tartaglia pack --name anna',
  )
  addGameOptions(verb, 'trial')
    .addArgument(new Argument('[agent]', "the agent's folder, or its script").default('.', 'this folder'))
    .option('--name <name>', "the agent's name (default: that of its agent.json, file or folder)")
    .option('--out <file>', 'the file to write, replaced if it exists (default: in the folder packed/)')
    .addOption(ownIsolationOption())
    .action(async (path: string, options: PackOptions, command: Command) => {
      const { name, out, isolation, ...given } = options
      const there = statSync(path, { throwIfNoEntry: false })
      const folder = there?.isDirectory() === true ? path : dirname(resolve(path))
      const chosen = await gameSettings(withGame(given, command, gameOfKit(folder)), 'trial')
      const packed = await packAgent(path, chosen.game, name)
      const file = out ?? join(folder, 'packed', packed.fileName)
      if (resolve(file) === resolve(path))
        throw new ExpectedError('usage', 'input-invalid', `${path} is the agent itself; choose another --out.`)
      const ending = extname(packed.fileName)
      const keepsNothing = file === devNull
      if (!keepsNothing && extname(file).toLowerCase() !== ending.toLowerCase())
        throw new ExpectedError(
          'usage',
          'input-invalid',
          `This agent becomes a ${ending} file: let the name of --out end so.`,
        )
      makeFolderOf(file)
      writeOutFile({ path: file, overwrite: true }, packed.bytes)
      const check = (checked: string) =>
        stoppable(context, 'Stopping: the file was written, but not checked.', (signal) =>
          checkAgent({ ...chosen, file: checked, isolation, signal, onNotice: (text) => terminal.note(text) }),
        )
      const verdict = keepsNothing ? { ...(await withPackedFile(packed, check)), file } : await check(file)
      const sha256 = hash('sha256', packed.bytes)
      const { files, leftOut, bytes } = packed
      terminal.output('pack', { file, name: packed.name, bytes: bytes.length, sha256, files, leftOut, verdict })
      terminal.print(
        `${safeLine(file)}: ${count(files.length, 'file', 'files')}, ${bytes.length} bytes, SHA-256 ${sha256}`,
        `    the agent's name is ${safeLine(packed.name)}`,
        ...(leftOut.length === 0 ? [] : [`    left out: ${safeLine(leftOut.join(', '))}`]),
        `    ${verdictText(terminal, verdict)}`,
        ...(verdict.ok && !keepsNothing ? ['    Hand in this file.'] : []),
      )
      done(verdict.ok ? 0 : 1)
    })
}

function matchesOf(text: string): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > 1_000) throw new InvalidArgumentError('It must be a number of matches from 1 to 1000.')
  return number
}

function triedLines({ seed, opponents }: TriedAgent): readonly string[] {
  return [
    ...tableOf(opponents, [
      left('against', ({ opponent }) => opponent),
      right('matches', ({ matches }) => matches),
      right('won', ({ won }) => won),
      right('tied', ({ tied }) => tied),
      right('lost', ({ lost }) => lost),
      right('share', ({ share }) => percent(share)),
      right('95 % interval', ({ interval }) => (interval === null ? '-' : interval.map(percent).join(' to '))),
      left('so it is', meaningOf),
      right('faults', ({ faults }) => faults),
    ]),
    '',
    'The share counts a tie as half. A change is shown to be better where the intervals before and after do not overlap,',
    'or where the new agent is better against the old one (--against).',
    `The seed is "${safeLine(seed)}": the same command gives the same matches again, --seed gives others.`,
  ]
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
