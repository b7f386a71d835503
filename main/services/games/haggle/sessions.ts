import { availableParallelism } from 'node:os'
import { hash } from 'node:crypto'
import { playMatches } from '../../contests/engine/engine.ts'
import type { Ticket } from '../../contests/engine/ticket.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { HistoryBody } from '../../../contract/histories/history.ts'
import { limits, type ClockMode, type IsolationTier } from '../../../contract/limits.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { hashOf, sha256 } from '../../../histories/canonical.ts'
import { eraseGame } from '../../../contract/game/erased-game.ts'
import { haggle } from '../../../referees/haggle/haggle.ts'
import type { Input } from '../../../referees/haggle/input.ts'
import { rules, scoresOf, type Share } from '../../../referees/haggle/rules.ts'
import { noteOf } from '../../../referees/haggle/script.ts'
import { chooseTier, isolationWarning } from '../../machine/isolation.ts'
import { workersAtATime } from '../../machine/workers.ts'
import type { Seeds } from './scenarios.ts'
import { scriptText } from '../../../players/scripts/script-source.ts'
import { namedAgentFile } from '../../agents/named-agents.ts'
import { readBytes } from '../../files/read-file.ts'
import { readAgentFile } from '../../packages/prepare.ts'

/** The source of an entry. */
export interface Entry {
  readonly name: string
  readonly source: string
}

interface SessionsOptions {
  readonly entries: readonly Entry[]
  /** The pairs that meet; the first of each moves first. */
  readonly pairs: readonly Pair[]
  /** The scenarios in the order in which their sessions are reported; repetitions are allowed. */
  readonly seeds: Seeds
  /** The game's complete settings, without a seed. */
  readonly config: Json
  /** The limits of a turn and of a constructor. */
  readonly turnMs: number
  readonly startMs: number
  /** The maximum number of sessions at a time; null: the best for this machine. */
  readonly jobs: number | null
  readonly clock: ClockMode
  /** Seeds Math.random() of the entries. */
  readonly chance: string
  /** The weakest isolation to accept. Absent: the scripts are the person's own; see `isolationWarning`. */
  readonly isolation?: IsolationTier | undefined
  readonly signal: AbortSignal
  onNotice?(text: string): void
  onSession(session: Session): void
}

/** Indices of two entries. */
type Pair = readonly [number, number]

/** A session as it is published when it is over. */
export interface Session {
  readonly seed: number
  /** The index of each side's entry. */
  readonly entries: Pair
  readonly counts: Share
  readonly values: readonly [Share, Share]
  readonly max_rounds: number
  /** The share that the player on turn demanded for itself; null: it accepted. Turn 0 belongs to seat 0. */
  readonly offers: readonly (Share | null)[]
  readonly outcome: 'agreed' | 'not agreed' | 'abort'
  readonly score: readonly [number, number]
  readonly aborted_by: number | null
  readonly reason: string | null
  readonly turns: number
  readonly printed: readonly Printed[]
}

/** A line that a side printed before the end of a turn; the last line may be cut off by the limit. */
interface Printed {
  readonly seat: number
  readonly turn: number
  readonly text: string
  /** The logged value, if the line comes from the script's `log`. */
  readonly note: Json | undefined
}

/** The maximum size in bytes of what a side logs and prints in a session. */
const NOTES_BYTES = 1_048_576

const game = eraseGame(haggle)

/**
 * Plays one session per pair and seed, and reports them in order: pair by pair, seed by seed. Resolves early if the
 * signal aborts. Throws ExpectedError.
 */
export async function playSessions(options: SessionsOptions): Promise<void> {
  const { entries, pairs, seeds, config, signal, clock } = options
  const isolation = await chooseTier(options.isolation ?? 'none')
  const open = options.isolation === undefined ? isolationWarning(isolation) : null
  if (open !== null) options.onNotice?.(open)
  const agents = entries.map(({ source }) => sha256(source))
  const total = pairs.length * seeds.length
  const jobs = options.jobs ?? availableParallelism() * game.matches.lanes
  const workers = Math.min(jobs, availableParallelism(), total)
  const planned = (match: number) => {
    return { pair: pairs[Math.floor(match / seeds.length)]!, seed: seeds.at(match % seeds.length)! }
  }
  const texts = new Map<number, string>()
  const order = inOrder(options.onSession)
  await playMatches({
    setup: {
      contest: 'sessions',
      contestHash: hashOf(null),
      configHash: hashOf(config),
      game: game.id,
      config,
      limits: limits.parse({ moveMs: options.turnMs, startMs: options.startMs, consoleBytes: NOTES_BYTES }),
      isolation,
      clock,
      seeds: 'hmac',
      unkept: true,
      lanes: Math.ceil(jobs / workers),
    },
    tickets: {
      length: total,
      at(match): Ticket {
        const { pair, seed } = planned(match)
        return {
          match,
          attempt: 1,
          seed: sessionSeed(seed, `${options.chance}:${pair.join('-')}`),
          entrants: pair.map((entry) => ({ name: `entry ${entry}`, agent: agents[entry]! })),
        }
      },
    },
    workers,
    agents: new Map(entries.map(({ source }, at) => [agents[at]!, source])),
    launch: workersAtATime(workers),
    openRun: counted(),
    append: (text, run) => texts.set(run, (texts.get(run) ?? '') + text),
    commit: () => Promise.resolve(),
    onFinished({ run, match }) {
      const text = texts.get(run) ?? ''
      texts.delete(run)
      order(match, sessionOf(text, config, planned(match)))
    },
    onVoid(_ticket, reason) {
      throw new ExpectedError('host', 'match-failed', `A session could not be played: ${reason}`)
    },
    signal,
  })
}

/**
 * The seed of a scenario's match: the rules read the scenario's number from its first 32 bits; all other randomness of
 * the match comes from the rest.
 */
function sessionSeed(scenario: number, chance: string): Sha256 {
  return scenario.toString(16).padStart(8, '0') + hash('sha256', `session:${scenario}:${chance}`).slice(8)
}

/** All ordered pairs of distinct numbers below n, sorted by the first, then the second. */
export function orderedPairs(n: number): readonly Pair[] {
  const all = Array.from({ length: n }, (_, at) => at)
  return all.flatMap((first) => all.filter((second) => second !== first).map((second) => [first, second] as const))
}

/** Numbers runs from 1. Sessions are not stored, so their nonces do not matter. */
function counted(): () => { readonly run: number; readonly nonce: Sha256 } {
  let run = 0
  return () => ({ run: ++run, nonce: '0'.repeat(64) })
}

/** Passes things on in the order of their numbers, from 0. */
function inOrder<T>(pass: (thing: T) => void): (number: number, thing: T) => void {
  const early = new Map<number, T>()
  let next = 0
  return (number, thing) => {
    early.set(number, thing)
    for (let ready = early.get(next); ready !== undefined; ready = early.get(next)) {
      early.delete(next)
      next += 1
      pass(ready)
    }
  }
}

/** Folds the lines of a finished session through the rules. */
function sessionOf(
  lines: string,
  config: Json,
  { pair, seed }: { readonly pair: Pair; readonly seed: number },
): Session {
  const state = rules.initial(haggle.config.parse(config), [], sessionSeed(seed, ''))
  const printed: Printed[] = []
  for (const line of lines.split('\n')) {
    if (line === '') continue
    // Trusted: our own worker wrote this line.
    const { b: body } = JSON.parse(line) as { readonly b: HistoryBody }
    if (body.k === 'console') {
      for (const text of body.text.replace(/\n$/, '').split('\n')) {
        printed.push({ seat: body.post.seat, turn: state.offers.length, text, note: noteOf(text) })
      }
    }
    if (body.k !== 'input') continue
    const refusal = rules.apply(state, body.input as Input)
    if (refusal !== null) throw new Error(refusal)
  }
  const { ending, counts, values, maxRounds, offers } = state
  if (ending === null) throw new Error('a session was reported finished but is not over')
  const aborted = ending.type === 'abort'
  return {
    seed,
    entries: pair,
    counts,
    values,
    max_rounds: maxRounds,
    offers,
    outcome: ending.type,
    score: scoresOf(state),
    aborted_by: aborted ? ending.seat : null,
    reason: aborted ? ending.reason : null,
    turns: offers.length,
    // Both constructors run at once, and their order must not depend on their speed.
    printed: [
      ...printed.filter(({ seat, turn }) => turn === 0 && seat === 0),
      ...printed.filter(({ seat, turn }) => turn > 0 || seat !== 0),
    ],
  }
}

/** The original's maximum size of a script. */
const ENTRY_BYTES_MAX = 64 * 1024 * 1024

/**
 * Reads entries: files, or names of shipped agents. TypeScript and zips are read as when they are handed in; other
 * files as by the original: bytes that are not UTF-8 become U+FFFD. Throws ExpectedError 'usage', also if a zip
 * contains no script.
 */
export async function readEntries(files: readonly string[]): Promise<readonly Entry[]> {
  const read = files.map(async (name) => ({ name, source: await sourceOf(namedAgentFile(haggle.id, name)) }))
  // If several cannot be read, the first of them is named, whichever failed first.
  await Promise.allSettled(read)
  return Promise.all(read)
}

async function sourceOf(file: string): Promise<string> {
  if (!/\.([cm]?ts|zip)$/i.test(file)) return scriptText(await readBytes(file, ENTRY_BYTES_MAX))
  const refuse = (): never => {
    throw new ExpectedError(
      'usage',
      'not-a-script',
      `${file} is not a script; only scripts play sessions. Run "tartaglia match play" instead.`,
    )
  }
  const { agent } = await readAgentFile(file, { game: haggle.id, isolation: () => Promise.resolve().then(refuse) })
  return agent.kind === 'script' ? scriptText(agent.bytes) : refuse()
}

/** The results of an entry over many sessions. */
export interface EntryTally {
  readonly entry: number
  sessions: number
  /** Dollars. */
  score: number
  agreements: number
  /** The number of sessions that it broke off. */
  aborts: number
}

/** Counts sessions for each of n entries. */
export function createEntryTally(n: number): { add(session: Session): void; standings(): readonly EntryTally[] } {
  const tallies = Array.from({ length: n }, (_, entry): EntryTally => {
    return { entry, sessions: 0, score: 0, agreements: 0, aborts: 0 }
  })
  return {
    add({ entries, score, outcome, aborted_by }) {
      for (const [seat, entry] of entries.entries()) {
        const tally = tallies[entry]!
        tally.sessions += 1
        tally.score += score[seat]!
        if (outcome === 'agreed') tally.agreements += 1
        if (aborted_by === seat) tally.aborts += 1
      }
    },
    standings: () => [...tallies].sort((a, b) => b.score - a.score),
  }
}
