import { resolve } from 'node:path'
import type { ErasedGame } from '../../../contract/game/game.ts'
import type { GameId, SeatId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { canonicalText } from '../../../histories/canonical.ts'
import { seedOfPlayer } from '../../../histories/derived-seeds.ts'
import { readExportedMatch, stepsOf, type ExportedMatch } from '../../../histories/match-file.ts'
import { bytesSource } from '../../../histories/history-source.ts'
import { games } from '../../../referees/games.ts'
import { readHistoryFile } from '../../histories/verify-histories.ts'
import { chooseTier, isolationWarning } from '../../machine/isolation.ts'
import { knownAgentFile } from '../../agents/named-agents.ts'
import { isFolder } from '../../files/read-file.ts'
import { checkOutFile, writeOutFile, type OutFile } from '../../files/output-file.ts'
import { readAgentFile } from '../../packages/prepare.ts'
import { dialogueOf, type ToldMessage } from '../../../worker/replay/dialogue.ts'
import { debuggedProgram } from './debugged-program.ts'
import { debuggedScript, DEBUG_PORT } from './debugged-script.ts'
import { boxedRespondent, type Respondent, type AgentReply } from './respondent.ts'
import { sentence } from '../../../contract/sentence.ts'

export interface ReplayOptions {
  /** An exported match. */
  readonly history: string
  /** The agent's file, a script, or the name of a shipped agent. Absent: the answers are those of the match. */
  readonly agent?: string | undefined
  readonly seat: SeatId
  /** The body of that seat; absent: the first. */
  readonly body?: number
  /** The move of that body, from 1, that is replayed. */
  readonly until: number
  /** The weakest isolation to accept. Absent: the agent is the person's own; see `isolationWarning`. */
  readonly isolation?: IsolationTier | undefined
  /** Run without isolation, under a debugger. */
  readonly debug: boolean
  /** The port of the debugger; absent: where editors look for one. */
  readonly debugPort?: number | undefined
  /** The file for the test case. */
  readonly saveTo?: OutFile
  /** Resolves when the person says that their debugger is attached to a program. Absent: at once. */
  readonly onAttached?: (() => Promise<void>) | undefined
  /** Stops a debugged program; Ctrl-C itself reaches the process of a script. */
  readonly signal?: AbortSignal
  onNotice(text: string): void
}

/**
 * A test case for the kits: an agent that receives `messages` in order should answer the last one with `answer`. Messages to
 * seats of several bodies have a field `body`, as programs read them.
 */
export interface TestCase {
  readonly game: GameId
  readonly messages: readonly Json[]
  readonly answer: Json
}

export interface ReplayReport {
  readonly seat: SeatId
  readonly until: number
  /** The first move at which the agent's answer differs from the history; null: none. */
  readonly differs: number | null
  readonly recorded: Json | null
  readonly answered: AgentReply
  readonly console: readonly string[]
  /** The file of the test case. */
  readonly file: string | null
}

/**
 * Sends an agent the messages that a seat of a recorded match received, up to a move, and returns its answer there. The
 * messages follow the history, whatever the agent answers before. Throws ExpectedError.
 */
export async function replayMatch(options: ReplayOptions): Promise<ReplayReport> {
  const { seat, body = 0, until } = options
  if (options.saveTo !== undefined) checkOutFile(options.saveTo)
  const { file, inputs, game } = await readHistory(options.history)
  const { header, config, outcome } = file
  const seats = header.seats.map(({ id, entrant, role, bodies }) => ({ id, entrant, role, bodies }))
  if (seats[seat] === undefined)
    throw new ExpectedError('usage', 'seat-unknown', `There is no seat ${seat}; the last is ${seats.length - 1}.`)
  const { bodies } = seats[seat]
  if (body >= bodies)
    throw new ExpectedError('usage', 'seat-unknown', `There is no body ${body}; the last of the seat is ${bodies - 1}.`)
  if (header.isolation === 'shared')
    throw new ExpectedError(
      'usage',
      'shared-folder-unrecorded',
      'Histories do not record the shared folder, so the agents of this match cannot be asked again.',
    )
  const told = await dialogueOf({ game, config, seats, seed: outcome.seed, inputs }, { seat, body }, until)
  if (typeof told === 'string') throw new ExpectedError('usage', 'move-unknown', told)
  const agent = options.agent === undefined ? null : knownAgentFile(header.game, options.agent)
  if (agent === null && (options.debug || options.saveTo === undefined))
    throw new ExpectedError('usage', 'option-missing', 'Name the agent to ask with --agent; only --save needs none.')
  const opening =
    agent === null
      ? Promise.resolve(recordedRespondent(told))
      : openRespondent(options, agent, { file, game, messages: told.length })
  const respondent = await unlessStopped(options.signal, opening)
  try {
    const { answered, differs } = await unlessStopped(options.signal, replayMessages(respondent, told, body))
    const last = told.at(-1)?.reply ?? null
    const recorded = last === null ? null : 'answer' in last ? last.answer : `${last.fault.kind}: ${last.fault.text}`
    const report = { seat, until, differs, recorded, answered, console: respondent.console }
    if (options.saveTo === undefined) return { ...report, file: null }
    const messages = told.map((each) => (bodies > 1 ? asProgramsRead(each) : each.message))
    saveCase(options.saveTo, { game: header.game, messages, answered })
    return { ...report, file: options.saveTo.path }
  } finally {
    await respondent.close()
  }
}

/** Rejects with ExpectedError 'stopped' if the signal aborts before the work has ended; that of an ended agent may never end. */
export async function unlessStopped<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work
  const stopped = Promise.withResolvers<never>()
  const stop = (): void =>
    stopped.reject(new ExpectedError('stopped', 'stopped', 'The replay was stopped before its end.'))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The agent, isolated or under a debugger, with the seed, the clock and the limits of the match. */
async function openRespondent(
  { seat, debug, debugPort, ...options }: ReplayOptions,
  agent: string,
  { file, game, messages }: Pick<History, 'file' | 'game'> & { readonly messages: number },
): Promise<Respondent> {
  const { header, config, outcome } = file
  const { limits, clock, seats } = header
  const seedOf = (body: number): string => seedOfPlayer(outcome.seed, { seat, body }, header.seeds ?? 'sha256')
  const { onNotice } = options
  if (debug && isFolder(agent)) {
    const { signal, onAttached = () => Promise.resolve() } = options
    const known = { game, config, seats, seat: seats[seat]!, limits, seedOf, port: debugPort, signal }
    return debuggedProgram({ ...known, folder: agent, attached: onAttached, onNotice: (text) => onNotice(text) })
  }
  const source = await scriptOf(agent, header.game)
  const conditions = { source, game, limits, clock, seed: seedOf(0) }
  if (!debug) return boxedRespondent({ ...conditions, tier: await tierFor({ ...options, seat, debug }) })
  const port = debugPort ?? DEBUG_PORT
  return debuggedScript({ ...conditions, file: resolve(agent), messages, port, onNotice: (text) => onNotice(text) })
}

/** Answers as in the match: for cases of agents that are not scripts. */
function recordedRespondent(told: readonly ToldMessage[]): Respondent {
  const replies = told.values()
  return {
    hear: () => {
      const reply = replies.next().value?.reply ?? null
      if (reply === null) return Promise.resolve(null)
      return Promise.resolve('answer' in reply ? { answer: reply.answer } : { fault: reply.fault.text })
    },
    console: [],
    close: () => Promise.resolve(),
  }
}

async function tierFor({ isolation, onNotice }: ReplayOptions): Promise<IsolationTier> {
  const tier = await chooseTier(isolation ?? 'none')
  const open = isolation === undefined ? isolationWarning(tier) : null
  if (open !== null) onNotice(open)
  return tier
}

/** The agent's source, bundled if it is TypeScript or a package. */
async function scriptOf(file: string, game: GameId): Promise<string> {
  const noScript = new ExpectedError(
    'usage',
    'not-a-script',
    `${file} is not a script; only scripts can be replayed, and debugged also the folder of a program. --save without --agent saves the answer of the match.`,
  )
  // Scripts need no build.
  const { agent } = await readAgentFile(file, {
    game,
    isolation: () => Promise.reject(noScript),
  })
  if (agent.kind === 'script') return new TextDecoder().decode(agent.bytes)
  throw noScript
}

interface History {
  readonly file: ExportedMatch
  readonly inputs: readonly Json[]
  readonly game: ErasedGame
}

async function readHistory(name: string): Promise<History> {
  const source = bytesSource(await readHistoryFile(name))
  const read = readExportedMatch(source)
  if (!read.ok) throw new ExpectedError('verdict', 'history-invalid', sentence(`${name}:${read.line}: ${read.message}`))
  const { header } = read.file
  const game = games.get(header.game)
  if (game === undefined || game.version !== header.version) {
    throw new ExpectedError(
      'usage',
      'rules-version-differs',
      `${name}: the rules of ${header.game}, version ${header.version}, are not available.`,
    )
  }
  const steps = stepsOf(source, () => undefined)
  return { file: read.file, game, inputs: [...steps].flatMap((step) => (step.type === 'input' ? [step.input] : [])) }
}

/** A message as the program of a seat of several bodies reads it. */
export function asProgramsRead({ message, body }: ToldMessage): Json {
  const isObject = message !== null && typeof message === 'object' && !Array.isArray(message)
  return isObject ? Object.fromEntries([...Object.entries(message), ['body', body]]) : message
}

/** The last answer and the first move of the body that differs. Stops when the agent fails. */
async function replayMessages(
  respondent: Respondent,
  told: readonly ToldMessage[],
  body: number,
): Promise<{ readonly answered: AgentReply; readonly differs: number | null }> {
  let answered: AgentReply = { fault: 'It was never asked.' }
  let differs: number | null = null
  let move = 0
  for (const each of told) {
    const said = await respondent.hear(each)
    if (said === null) continue
    const { wants, reply } = each
    answered = said
    if (wants === 'move' && each.body === body) move++
    const same = 'answer' in said && reply !== null && 'answer' in reply && isEqual(said.answer, reply.answer)
    if (wants === 'move' && each.body === body && !same) differs ??= move
    if ('fault' in said) return { answered, differs: differs ?? Math.max(1, move) }
  }
  return { answered, differs }
}

const isEqual = (a: Json, b: Json): boolean => canonicalText(a) === canonicalText(b)

function saveCase(
  file: OutFile,
  { game, messages, answered }: Pick<TestCase, 'game' | 'messages'> & { readonly answered: AgentReply },
): void {
  if (!('answer' in answered))
    throw new ExpectedError(
      'usage',
      'not-replayable',
      `No test case was made: the agent had a fault (${answered.fault}).`,
    )
  const testCase: TestCase = { game, messages, answer: answered.answer }
  writeOutFile(file, `${JSON.stringify(testCase, null, 2)}\n`)
}
