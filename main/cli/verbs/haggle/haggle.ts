import { Option, type Command } from 'commander'
import {
  readEntries,
  orderedPairs,
  playSessions,
  type Session,
  type Entry,
  createEntryTally,
  type EntryTally,
} from '../../../services/games/haggle/sessions.ts'
import { readLogFile, writeLogFile, logOf, type SessionLog } from '../../../services/games/haggle/session-log.ts'
import { scenarios } from '../../../services/games/haggle/scenarios.ts'
import { checkOutFile } from '../../../services/files/output-file.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { ownIsolationOption, wholeNumber, type Context } from '../../context.ts'
import { stoppable } from '../../interrupt.ts'
import { addHaggleArena } from './arena.ts'
import { addScenarioOptions, numberIn, seedsOf, settingsOf, type ScenarioOptions } from './options.ts'
import { storyOf } from '../../../services/games/haggle/story.ts'
import type { Terminal } from '../../terminal.ts'
import { left, right, safeLine, tableOf } from '../../text.ts'

interface SessionOptions extends ScenarioOptions {
  readonly log?: string
  readonly overwrite?: boolean
  readonly replay?: string
  readonly timeout: number
  readonly startTimeout: number
  readonly id?: string
  readonly unsafe?: boolean
  readonly quiet?: boolean
  readonly jobs?: number
  readonly freeRandom?: boolean
  readonly isolation?: IsolationTier
}

/** The longest limits of a turn and of a start. */
const DAY_MS = 86_400_000
const START_MAX_MS = 600_000

/** `tartaglia haggle A.js B.js`, with the options of haggle.js and additional ones. */
export function addHaggle(program: Command, context: Context): void {
  const verb = program
    .command('haggle')
    .description('Play Haggling sessions between scripts; show scenarios')
    .helpCommand(false)
    .argument(
      '[agents...]',
      'two or more scripts or names of built-in agents; with more than two, every ordered pair plays',
    )
    .addHelpText('after', '\nExample:\n  tartaglia haggle mine.js theirs.js --seeds 1..50')
  addScenarioOptions(verb)
    .option('-l, --log <file>', "write the session to a new file, in the original's format")
    .option('--overwrite', 'replace the file if it exists')
    .option('-r, --replay <file>', 'print a logged session instead of playing one')
    .addOption(
      new Option('-t, --timeout <ms>', 'time limit of a turn; 0: none').argParser(numberIn(0, DAY_MS)).default(1000),
    )
    .addOption(
      new Option('--start-timeout <ms>', 'time limit for loading a script and for its constructor')
        .argParser(numberIn(1, START_MAX_MS))
        .default(1000),
    )
    .option('-q, --quiet', 'print no single sessions')
    .addOption(new Option('--jobs <number>', 'number of sessions at a time').argParser(wholeNumber))
    .option('--free-random', 'do not replace Math.random and Date of scripts; sessions are then not repeatable')
    .addOption(ownIsolationOption())
    // Options of the original that are refused with an explanation.
    .addOption(new Option('-I, --id <id>').hideHelp())
    .addOption(new Option('-u, --unsafe').hideHelp())
    .addOption(new Option('-f, --force').hideHelp())
    .action((files: string[], options: SessionOptions) =>
      options.replay === undefined ? play(context, files, options) : replay(context, options.replay, files),
    )

  addHaggleArena(verb, context)
  addScenarioOptions(
    verb.command('scenario').description('Show the scenarios of seeds: the objects and their values for each side'),
  )
    .addHelpText('after', '\nExample:\n  tartaglia haggle scenario --seeds 1..5 --json')
    .action((_: ScenarioOptions, scenario: Command) => {
      const { terminal } = context
      // Options that both verbs have are parsed by the verb above.
      const options = scenario.optsWithGlobals<ScenarioOptions>()
      for (const { seed, counts, values } of scenarios(settingsOf(options), seedsOf(options, anySeed))) {
        terminal.output('haggle scenario', { seed, counts, values })
        terminal.print(
          `${seed}: objects ${counts.join(' ')}, worth ${values.map((each) => each.join(' ')).join(' and ')}`,
        )
      }
    })
}

async function play(context: Context, files: readonly string[], options: SessionOptions): Promise<void> {
  const { terminal } = context
  refuseElsewhere(files, options)
  const config = settingsOf(options)
  const seeds = seedsOf(options, anySeed)
  const pairs = files.length === 2 ? ([[0, 1]] as const) : orderedPairs(files.length)
  const single = pairs.length * seeds.length === 1
  if (options.log !== undefined && !single)
    throw new ExpectedError(
      'usage',
      'options-conflict',
      `--log stores one session, not ${pairs.length * seeds.length}.`,
    )
  const log = options.log === undefined ? null : { path: options.log, overwrite: options.overwrite === true }
  if (log !== null) checkOutFile(log)
  const entries = await readEntries(files)
  const free = options.freeRandom === true
  const tally = createEntryTally(entries.length)
  let last: Session | undefined
  await stoppable(context, 'Stopping. Press Ctrl-C again to quit at once.', async (signal) => {
    await playSessions({
      entries,
      pairs,
      seeds,
      config,
      turnMs: options.timeout === 0 ? DAY_MS : options.timeout,
      startMs: options.startTimeout,
      jobs: options.jobs ?? null,
      clock: free ? 'real' : 'frozen',
      chance: free ? String(process.hrtime.bigint()) : 'haggle',
      isolation: options.isolation,
      signal,
      onNotice: (text) => terminal.note(text),
      onSession(session) {
        last = session
        tally.add(session)
        terminal.output('haggle', told(session, entries))
        if (options.quiet === true) return
        if (single) tell(logOf(session), terminal)
        else terminal.print(endingSentence(session, entries))
      },
    })
    if (signal.aborted) throw new ExpectedError('stopped', 'stopped', 'Stopped before the end of the last session.')
  })
  if (log !== null && last !== undefined) writeLogFile(log, logOf(last))
  if (!single) terminal.print(...standingsTable(tally.standings(), entries))
}

async function replay({ terminal }: Context, file: string, agents: readonly string[]): Promise<void> {
  if (agents.length > 0)
    throw new ExpectedError('usage', 'options-conflict', '--replay prints a logged session and takes no agents.')
  const log = await readLogFile(file)
  terminal.output('haggle', log)
  tell(log, terminal)
}

/** Refuses what only the original can do, and says what to use instead. */
function refuseElsewhere(agents: readonly string[], { unsafe, id }: SessionOptions): void {
  const refuse = (why: string): never => {
    throw new ExpectedError('usage', 'not-supported', why)
  }
  const url = agents.find((agent) => /^wss?:\/\//i.test(agent))
  if (url !== undefined)
    refuse(`${url}: to join an arena use the original's client; to serve arenas use "tartaglia haggle arena".`)
  if (id !== undefined) refuse('--id is for joining an arena, which this command does not do.')
  if (unsafe === true) {
    refuse("--unsafe: scripts never run in this program's own process. Leave it out, or use --isolation none.")
  }
  if (agents.length < 2) refuse('A session needs two scripts.')
}

/** Below 2^31, as in the original. */
const anySeed = (): number => 1 + Math.floor(Math.random() * (2 ** 31 - 2))

/** A session as JSON for machines. */
function told({ entries: [first, second], printed: _, seed, ...rest }: Session, entries: readonly Entry[]) {
  return { seed, first: entries[first]!.name, second: entries[second]!.name, ...rest }
}

/** A session in one line. */
function endingSentence(session: Session, entries: readonly Entry[]): string {
  const [first, second] = session.entries.map((entry) => safeLine(entries[entry]!.name))
  const end =
    session.outcome === 'abort'
      ? `${session.aborted_by === 0 ? first : second} walked away: ${safeLine(session.reason ?? '')}`
      : session.outcome
  return `${session.seed}  ${first} ${session.score[0]} : ${session.score[1]} ${second}  ${end}, ${session.turns} turns`
}

/** Prints a session turn by turn, each side in its colour. */
function tell(log: SessionLog, { print, paint }: Terminal): void {
  for (const { side, text } of storyOf(log)) {
    print(side === null ? safeLine(text) : paint(side === 0 ? 'green' : 'yellow', safeLine(text)))
  }
}

/** The results of the entries, best first. */
function standingsTable(standings: readonly EntryTally[], entries: readonly Entry[]): readonly string[] {
  const mean = (sum: number, count: number): string => (count === 0 ? '-' : (sum / count).toFixed(4))
  return tableOf(standings, [
    right('Rank', ({ score }) => standings.findIndex((other) => other.score === score) + 1),
    left('Agent', ({ entry }) => entries[entry]!.name),
    right('Total', ({ score }) => score),
    right('Sessions', ({ sessions }) => sessions),
    right('Per session', ({ score, sessions }) => mean(score, sessions)),
    right('Agreements', ({ agreements }) => agreements),
    right('Per agreement', ({ score, agreements }) => mean(score, agreements)),
    right('Aborts', ({ aborts }) => aborts),
  ])
}
