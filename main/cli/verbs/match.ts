import { InvalidArgumentError, Option, type Command } from 'commander'
import { scoreInUnit, scoreText } from '../../services/game-facts.ts'
import { playSingleMatch, type MatchReport, type PlayMatchOptions } from '../../services/contests/command/play-match.ts'
import { isFolder } from '../../services/files/read-file.ts'
import { replayMatch, type ReplayReport } from '../../services/matches/replay/replay.ts'
import { clockMode, type ClockMode, type IsolationTier } from '../../contract/limits.ts'
import { addGroup, addVerb, ownIsolationOption, portNumber, wholeNumber, type Context } from '../context.ts'
import { addGameOptions, gameSettings, type GameOptions } from '../game-options.ts'
import { stoppable } from '../interrupt.ts'
import { faultLines, left, right, safeLine, tableOf } from '../text.ts'
import type { Json } from '../../contract/json.ts'

interface PlayOptions extends GameOptions {
  readonly seed: string
  readonly clock?: ClockMode
  readonly isolation?: IsolationTier
  readonly export?: string
  readonly overwrite?: boolean
}

interface ReplayOptions {
  readonly agent?: string
  readonly seat: number
  readonly body: number
  readonly until: number
  readonly save?: string
  readonly overwrite?: boolean
  readonly isolation?: IsolationTier
  readonly inspectBrk?: true
  readonly inspectPort?: number
}

/** `tartaglia match play`, `replay`. */
export function addMatch(program: Command, context: Context): void {
  const { terminal } = context
  const group = addGroup(program, 'match', 'Single matches: play, replay')

  const play = addVerb(
    group,
    'play',
    'Play one match; nothing is kept except the export',
    'tartaglia match play my-agent.js baby',
  )
  addGameOptions(play, 'single')
    .argument('<agents...>', 'agent files, or names of built-in agents such as baby, in seat order')
    .option('--seed <text>', 'any text; the same seed gives the same match', 'tartaglia')
    .addOption(
      new Option('--clock <mode>', 'what Date returns in scripts; if not given: "frozen", as in contests').choices(
        clockMode.options,
      ),
    )
    .addOption(ownIsolationOption())
    .option('--export <file>', "write the match's history and the agents' printed output to a new file")
    .option('--overwrite', 'replace the file if it exists')
    .action(async (agents: string[], options: PlayOptions) => {
      const { export: path, overwrite = false, seed, clock, isolation, ...game } = options
      const settings: Omit<PlayMatchOptions, 'signal'> = {
        ...(await gameSettings(game, 'single')),
        agents,
        seed,
        clock,
        isolation,
        onNotice: (text) => terminal.note(text),
        ...(path === undefined ? {} : { exportTo: { path, overwrite } }),
      }
      const report = await stoppable(
        context,
        'Stopping: the match is discarded. Press Ctrl-C again to quit at once.',
        (signal) => playSingleMatch({ ...settings, signal }),
      )
      terminal.output('match play', inUnits(report))
      terminal.print(...reportLines(report))
    })

  addVerb(
    group,
    'replay',
    'Replay a recorded match up to a move and ask an agent for that move',
    'tartaglia match replay match.history --seat 0 --until 3 --agent my-agent.js',
  )
    .argument('<history>', 'an exported match')
    .option(
      '--agent <file>',
      'the agent to ask, under a debugger also the folder of a program; not needed to --save the answer of the match',
    )
    .requiredOption('--seat <number>', 'the seat that it takes, counted from 0', fromZero)
    .option('--body <number>', 'the body of that seat, such as a herder, counted from 0', fromZero, 0)
    .requiredOption('--until <move>', 'the move of that seat or body to ask for, counted from 1', wholeNumber)
    .option('--save <file>', "write the seat's messages and the answer to a new file, as a test case")
    .option('--overwrite', 'replace the file if it exists')
    .option(
      '--inspect-brk',
      'run without isolation under a debugger that pauses before that move; only for your own agents',
    )
    .option('--inspect-port <number>', inspectPortText, portNumber)
    .addOption(ownIsolationOption())
    .action(
      async (history: string, { inspectBrk, inspectPort, save, overwrite = false, ...options }: ReplayOptions) => {
        const settings = {
          ...options,
          history,
          debug: inspectBrk === true,
          debugPort: inspectPort,
          onNotice: (text: string): void => terminal.note(text),
          onAttached: context.environment.onEnter,
          ...(save === undefined ? {} : { saveTo: { path: save, overwrite } }),
        }
        const report =
          inspectBrk === true && options.agent !== undefined && isFolder(options.agent)
            ? await stoppable(context, 'Stopping the program. Press Ctrl-C again to quit at once.', (signal) =>
                replayMatch({ ...settings, signal }),
              )
            : await replayMatch(settings)
        terminal.output('match replay', report)
        terminal.print(...(options.agent === undefined ? [recordedLine(report)] : replayLines(report)))
      },
    )
}

/** The ports, by the debuggers: see main/services/matches/replay/debuggers.ts. */
export const inspectPortText =
  'the port of the debugger (default: 9229 for scripts, 5678 for Python, 5005 for Java, 2345 for Go, 1234 for gdbserver)'

export function fromZero(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of at least 0.')
  return Number(text)
}

/** For a case that was saved of the history alone. */
const recordedLine = ({ seat, until, recorded, file }: ReplayReport): string =>
  safeLine(
    `Seat ${seat}, move ${until}: ${file ?? ''} expects the answer of the history, ${beginning(JSON.stringify(recorded))}.`,
  )

/** Answers of more characters are shown by their differences alone. */
const ANSWER_MAX = 300

/** The answers of the agent, beside the history. */
export function replayLines({ seat, until, differs, recorded, answered, console }: ReplayReport): readonly string[] {
  const same =
    differs === null ? 'The agent answers as in the history.' : `The agent answers differently from move ${differs} on.`
  const given = 'answer' in answered ? answered.answer : null
  const differences = recorded === null || given === null ? [] : differenceLines(recorded, given)
  return [
    `Seat ${seat}, move ${until}. ${same}`,
    `In the history: ${recorded === null ? 'nothing' : beginning(JSON.stringify(recorded))}`,
    `The agent:      ${'fault' in answered ? `fault: ${answered.fault}` : beginning(JSON.stringify(answered.answer))}`,
    ...(differences.length === 0 ? [] : ['Differences:', ...differences.map((line) => `    ${line}`)]),
    ...console.flatMap((text) => text.trimEnd().split('\n')).map((line) => `It printed: ${line}`),
  ].map(safeLine)
}

const beginning = (text: string): string =>
  text.length <= ANSWER_MAX
    ? text
    : `${text.slice(0, ANSWER_MAX).toWellFormed()}... (${text.length} characters; --json has all)`

/** The report with scores in the unit of the game, as in the JSON of contests. */
export function inUnits(report: MatchReport): MatchReport {
  const seats = report.seats.map((seat) => ({ ...seat, score: scoreInUnit(report.game, seat.score) }))
  return { ...report, seats }
}

export function reportLines({ game, seed, isolation, seats, file }: MatchReport): readonly string[] {
  const told = seats.flatMap(({ agent, removed, reason, faults, console }) => [
    ...(removed ? [`${agent} was removed${reason === undefined ? '' : `: ${reason}`}`] : []),
    ...faultLines(faults).map((line) => `${agent}: ${line}`),
    ...console.flatMap((text) => text.trimEnd().split('\n')).map((line) => `${agent} printed: ${line}`),
  ])
  return [
    `${game}, seed "${safeLine(seed)}", isolation ${isolation}`,
    '',
    ...tableOf(seats, [
      right('seat', ({ seat }) => seat),
      left('agent', ({ agent }) => agent),
      right('rank', ({ rank }) => rank),
      right('score', ({ score }) => scoreText(game, score)),
      right('faults', ({ faults }) => faults.length),
    ]),
    ...(told.length === 0 ? [] : ['', ...told.map(safeLine)]),
    ...(file === null ? [] : ['', `History: ${safeLine(file)}`]),
  ]
}

/** The maximum number of differing parts that are listed. */
const PARTS_MAX = 8
/** The maximum number of characters of a value that are shown. */
const SHOWN_MAX = 160

/**
 * The parts in which two values differ, a line each: `actions[0].price: 1/2 in the history, 1/3 from the agent`; none if they are
 * equal. A value that only one of them has is `nothing` in the other.
 */
export function differenceLines(recorded: Json, answered: Json): readonly string[] {
  const parts: string[] = []
  let more = 0
  const compare = (a: Json | undefined, b: Json | undefined, path: string): void => {
    if (isTree(a) && isTree(b) && Array.isArray(a) === Array.isArray(b)) {
      const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
      for (const key of new Set([...left.keys(), ...right.keys()]))
        compare(left.get(key), right.get(key), Array.isArray(a) ? `${path}[${key}]` : `${path}${path && '.'}${key}`)
    } else if (a !== b) {
      if (parts.length < PARTS_MAX)
        parts.push(`${path === '' ? '' : `${path}: `}${shown(a)} in the history, ${shown(b)} from the agent`)
      else more += 1
    }
  }
  compare(recorded, answered, '')
  return more === 0 ? parts : [...parts, `and ${more} more`]
}

const isTree = (value: Json | undefined): value is Json[] | { [key: string]: Json } =>
  typeof value === 'object' && value !== null

function shown(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX).toWellFormed()}... (${text.length} characters)`
}
