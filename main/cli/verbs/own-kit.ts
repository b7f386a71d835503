import { join } from 'node:path'
import { Option, type Command } from 'commander'
import { debugCase, runTests, savedCase, testsOf } from '../../services/agents/kit-tests.ts'
import { keepMatch, lastMatch, prepareMatches } from '../../services/agents/kept-matches.ts'
import { ownAgent, withAgentFile, type OwnAgent } from '../../services/agents/own-agent.ts'
import { playSingleMatch } from '../../services/contests/command/play-match.ts'
import { showHistory } from '../../services/histories/verify-histories.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { exportFilePage } from '../../services/matches/export-page.ts'
import { DEBUG_PORT } from '../../services/matches/replay/debugged-script.ts'
import { replayMatch } from '../../services/matches/replay/replay.ts'
import { playableFile } from '../../services/packages/pack.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import {
  addVerb,
  dataOption,
  folderName,
  ownIsolationOption,
  portNumber,
  wholeNumber,
  type Context,
} from '../context.ts'
import { addGameOptions, gameSettings, withGame, type GameOptions } from '../game-options.ts'
import { stoppable } from '../interrupt.ts'
import { safeLine } from '../text.ts'
import { printHistory } from './history.ts'
import { fromZero, inspectPortText, inUnits, replayLines, reportLines } from './match.ts'

interface RunOptions extends GameOptions {
  readonly against: readonly string[]
  readonly seed: string
  readonly isolation?: IsolationTier
}

interface DebugOptions {
  readonly match?: string
  readonly seat: number
  readonly body: number
  readonly until: number
  readonly inspectPort?: number
}

const stopping = 'Stopping. Press Ctrl-C again to quit at once.'

/** `tartaglia run`, `test`, `replay`, `debug`: the short commands of a kit, which take the agent and the matches of this folder. */
export function addOwnKit(program: Command, context: Context): void {
  addRun(program, context)
  addTest(program, context)
  addReplay(program, context)
  addDebug(program, context)
}

function addRun(program: Command, context: Context): void {
  const { terminal } = context
  const verb = addVerb(
    program,
    'run',
    'Play one match of the agent in this folder, show it move by move, and keep it in the folder matches/',
    'tartaglia run --against greedy --seed another',
  )
  addGameOptions(verb, 'single')
    .argument('[agent]', "the agent's file or folder (default: the one in this folder)")
    .option('--against <agents...>', 'files, or names of built-in agents, in the next seats', ['baby'])
    .option('--seed <text>', 'any text; the same seed gives the same match', 'tartaglia')
    .addOption(ownIsolationOption())
    .action(async (named: string | undefined, options: RunOptions, command: Command) => {
      const { against, seed, isolation, ...given } = options
      const { agent, folder, game: own } = ownAgent(named)
      const settings = await gameSettings(withGame(given, command, own), 'single')
      prepareMatches(folder)
      const report = await stoppable(
        context,
        'Stopping: the match is discarded. Press Ctrl-C again to quit at once.',
        (signal) =>
          withAgentFile(agent, settings.game, (file) =>
            playSingleMatch({
              ...{ ...settings, agents: [file, ...against], seed, isolation, signal },
              keep: (history) => keepMatch(folder, history),
              onNotice: (text) => terminal.note(text),
            }),
          ),
      )
      terminal.output('run', inUnits(report))
      if (terminal.json) return
      for (const line of (await showHistory(report.file!)).lines) terminal.print(line)
      terminal.print('', ...reportLines(report))
    })
}

function addTest(program: Command, context: Context): void {
  const { terminal, environment, done } = context
  addVerb(
    program,
    'test',
    'Run the tests of the kit in this folder, of which each saved move is one',
    'tartaglia test',
  ).action(async () => {
    const { folder } = ownAgent()
    const command = testsOf(folder)
    const ok = await stoppable(context, stopping, (signal) =>
      runTests(folder, command, { env: environment.env, signal, ...printing(context) }),
    )
    terminal.output('test', { folder, command, ok })
    done(ok ? 0 : 1)
  })
}

function addReplay(program: Command, { terminal, done }: Context): void {
  addVerb(
    program,
    'replay',
    'Show the match that was kept last move by move, or write it as a page for a browser',
    'tartaglia replay --html match.html',
  )
    .argument('[history]', 'an exported match (default: the last one in the folder matches/)')
    .addOption(new Option('--html <file>', 'the page to write, which opens without a network').argParser(folderName))
    .addOption(dataOption())
    .action(async (given: string | undefined, { html, data = defaultDataFolder() }: ReplayOptions) => {
      const file = given ?? lastMatch(ownAgent().folder)
      if (html === undefined) {
        const shown = await printHistory(terminal, file, data)
        terminal.output('replay', shown)
        return done(shown.verdict?.ok === false ? 1 : 0)
      }
      const { bytes, verdict } = await exportFilePage({ file, data, html })
      terminal.output('replay', { file, html, bytes, verdict })
      terminal.print(`${safeLine(file)} is in ${safeLine(html)}, ${bytes} bytes.`)
    })
}

interface ReplayOptions {
  readonly html?: string
  readonly data?: string
}

const debugHelp = `
Without a case, the agent of this folder is asked for a move of the match that was
kept last. It waits for a debugger, and the output says where: a script for that of
Node (VS Code: F5, Chrome: chrome://inspect), Python for debugpy, Java for jdb, Go
for delve, other programs for gdbserver. Without delve or gdbserver on this machine,
attach to the process and press Enter. Nothing limits its time, and it runs without
isolation, so debug only your own agents.`

function addDebug(program: Command, context: Context): void {
  const { terminal, environment, done } = context
  addVerb(
    program,
    'debug',
    'Debug the agent of this folder in one saved case, or in one move of a match',
    'tartaglia debug --until 1',
  )
    .argument('[case]', 'the name of a saved case in the folder cases/, such as first')
    .option('--match <history>', 'an exported match (default: the last one in the folder matches/)')
    .option('--seat <number>', 'the seat that the agent takes, counted from 0', fromZero, 0)
    .option('--body <number>', 'the body of that seat, such as a herder, counted from 0', fromZero, 0)
    .option('--until <move>', 'the move before which the debugger stops, counted from 1', wholeNumber, 1)
    .option('--inspect-port <number>', inspectPortText, portNumber)
    .addHelpText('after', debugHelp)
    .action(async (named: string | undefined, options: DebugOptions) => {
      const own = ownAgent()
      if (named === undefined) return debugMove(own, context, options)
      const name = savedCase(own.folder, named)
      if (name === null)
        throw new ExpectedError('usage', 'case-unknown', `${join(own.folder, 'cases')} has no case "${named}".`)
      const ok = await stoppable(context, stopping, (signal) => {
        const running = { env: environment.env, signal, ...printing(context) }
        return debugCase(own.folder, name, options.inspectPort ?? DEBUG_PORT, running)
      })
      terminal.output('debug', { case: name, ok })
      done(ok ? 0 : 1)
    })
}

async function debugMove(
  { agent, folder }: OwnAgent,
  context: Context,
  { match, inspectPort, ...where }: DebugOptions,
): Promise<void> {
  const { terminal } = context
  const history = match ?? lastMatch(folder)
  const report = await stoppable(context, stopping, (signal) =>
    replayMatch({
      ...{ ...where, history, agent: playableFile(agent), debug: true, debugPort: inspectPort, signal },
      onAttached: context.environment.onEnter,
      onNotice: (text) => terminal.note(text),
    }),
  )
  terminal.output('debug', report)
  terminal.print(...replayLines(report))
}

/** With --json, stdout has the result alone. */
function printing({ terminal, environment: { stdout, stderr } }: Context) {
  return {
    onPrinted: (text: Uint8Array): void => void (terminal.json ? stderr : stdout).write(text),
    onError: (text: Uint8Array): void => void stderr.write(text),
  }
}
