import { availableParallelism } from 'node:os'
import { hash } from 'node:crypto'
import { playMatches } from '../../../administrator/contests/engine.ts'
import type { Ticket } from '../../../administrator/contests/ticket.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { HistoryBody } from '../../../contract/history.ts'
import { limits, type ClockMode, type IsolationTier } from '../../../contract/limits.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { hashOf, sha256 } from '../../../histories/canonical.ts'
import { eraseGame } from '../../../contract/erased-game.ts'
import { haggle } from '../../../referees/haggle/haggle.ts'
import type { Input } from '../../../referees/haggle/input.ts'
import { rules, scoresOf, type Share } from '../../../referees/haggle/rules.ts'
import { noteOf } from '../../../referees/haggle/script.ts'
import { chooseTier, leftOpen } from '../../machine/isolation.ts'
import { workersAtATime } from '../../machine/workers.ts'
import type { Seeds } from './scenarios.ts'

/** An entry, as it was read. */
export interface Entry {
  readonly name: string
  readonly source: string
}

export interface SessionsOptions {
  readonly entries: readonly Entry[]
  /** Who meets whom, first on turn first. */
  readonly pairs: readonly Pair[]
  /** Scenarios, in the order in which their sessions are told; one may come more than once. */
  readonly seeds: Seeds
  /** The game's settings, complete, without a seed. */
  readonly config: Json
  /** Limit of a turn and of a constructor. */
  readonly turnMs: number
  readonly startMs: number
  /** Sessions at a time. null: what this machine does best. */
  readonly jobs: number | null
  readonly clock: ClockMode
  /** Equal texts give entries equal Math.random(). */
  readonly chance: string
  /** Consent to scripts being held no more strongly than so. Absent: they are the person's own; see `leftOpen`. */
  readonly isolation?: IsolationTier | undefined
  readonly signal: AbortSignal
  onNotice?(text: string): void
  onSession(session: Session): void
}

/** Indices of two entries. */
export type Pair = readonly [number, number]

/** One session, as everybody may read it once it is over. */
export interface Session {
  readonly seed: number
  /** Index of each side's entry. */
  readonly entries: Pair
  readonly counts: Share
  readonly values: readonly [Share, Share]
  readonly max_rounds: number
  /** What the mover of each turn demanded for itself; null: it accepted. Turn 0 is seat 0. */
  readonly offers: readonly (Share | null)[]
  readonly outcome: 'agreed' | 'not agreed' | 'abort'
  readonly score: readonly [number, number]
  readonly aborted_by: number | null
  readonly reason: string | null
  readonly turns: number
  readonly printed: readonly Printed[]
}

/** A line that a side printed before the turn of this number was over; the last may be cut where there was no more room. */
export interface Printed {
  readonly seat: number
  readonly turn: number
  readonly text: string
  /** What the line notes, where it comes from the script's `log`. */
  readonly note: Json | undefined
}

/** What a side may note and print in a session; nobody keeps it for long. */
const NOTES_BYTES = 1_048_576

const game = eraseGame(haggle)

/**
 * Plays one session of each pair with each seed. They are told in order, pair by pair and seed by seed, however they were played. Throws ExpectedError. Resolves early when the signal comes.
 */
export async function playSessions(options: SessionsOptions): Promise<void> {
  const { entries, pairs, seeds, config, signal, clock } = options
  const isolation = await chooseTier(options.isolation ?? 'none')
  const open = options.isolation === undefined ? leftOpen(isolation) : null
  if (open !== null) options.onNotice?.(open)
  const agents = entries.map(({ source }) => sha256(source))
  const total = pairs.length * seeds.length
  const jobs = options.jobs ?? availableParallelism() * game.lanes
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
      throw new ExpectedError('host', `A session could not be played: ${reason}`)
    },
    signal,
  })
}

/**
 * The seed of a match about one scenario: its first 32 bits are the scenario's number, from which the rules take it; what
 * else is drawn for the match follows from the rest.
 */
function sessionSeed(scenario: number, chance: string): Sha256 {
  return scenario.toString(16).padStart(8, '0') + hash('sha256', `session:${scenario}:${chance}`).slice(8)
}

/** Every ordered pair of distinct numbers below n, by the first, then by the second. */
export function orderedPairs(n: number): readonly Pair[] {
  const all = Array.from({ length: n }, (_, at) => at)
  return all.flatMap((first) => all.filter((second) => second !== first).map((second) => [first, second] as const))
}

/** Run numbers from 1. Sessions are kept by nobody, so nothing hangs on their nonce. */
function counted(): () => { readonly run: number; readonly nonce: Sha256 } {
  let run = 0
  return () => ({ run: ++run, nonce: '0'.repeat(64) })
}

/** Passes things on by their number, from 0, as soon as all before have been. */
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
    // Written by our own worker a moment ago.
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
  if (ending === null) throw new Error('a session was reported finished and is not over')
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
    // Both sides begin at once, and whose constructor was faster is nobody's business.
    printed: [
      ...printed.filter(({ seat, turn }) => turn === 0 && seat === 0),
      ...printed.filter(({ seat, turn }) => turn > 0 || seat !== 0),
    ],
  }
}
