import type { Fault } from '../contract/faults.ts'
import type { Ms } from '../contract/clock.ts'
import type { Audience, Post } from '../contract/game.ts'
import { historyFormat, longestLine, type MatchFacts } from '../contract/history.ts'
import type { Sha256 } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import type { Outcome, RemovalRecord } from '../contract/outcome.ts'
import { canonicalText, hashOf, sha256 } from './canonical.ts'
import { commit, lineOf, link, saltOf, type ChainValue } from './chain.ts'
import { newNonce } from './nonce.ts'

interface Body {
  readonly n: number
  readonly r: number
  readonly [member: string]: unknown
}

export interface RecorderOptions {
  /** Unique within the contest's data; main hands it out. From 1. */
  readonly run: number
  readonly facts: MatchFacts
  /** The match's seed and nonce: 64 hex digits each, secret until the outcome line. */
  readonly seed: Sha256
  readonly nonce: Sha256
  /** Salts private lines and is never published. Fresh randomness unless a test wants the same bytes twice. */
  readonly secret?: string
}

/**
 * Writes the run of one match as text; keeps nothing but what has not been fetched yet. Every method but `lines` throws
 * after `finish` or `voided`, and on values that canonical JSON cannot hold or a line longer than
 * `longestLine`.
 */
export interface Recorder {
  /** The text written since the last call: whole lines. The first call's begins with the header. */
  lines(): string
  /** Characters that `lines` would return. */
  readonly pending: number
  /** Inputs recorded so far. */
  readonly inputs: number
  /** Private lines of each seat so far. */
  readonly printed: readonly number[]
  /** An input that the rules have applied. */
  input(at: Ms, audience: Audience, input: Json): void
  /** A fault as it arrived. Its stderr goes into a private line of its own. */
  fault(at: Ms, post: Post, question: number | null, fault: Fault): void
  /** What an agent printed; private to its team for ever. */
  console(at: Ms, post: Post, text: string): void
  /** `state`: the saved state after the inputs so far. */
  checkpoint(state: Json): void
  /** Ends the run; returns its head and the hash of `state`, the saved final state. `removals`: who was removed for what. */
  finish(
    at: Ms,
    outcome: Outcome,
    state: Json,
    removals?: readonly RemovalRecord[],
  ): { readonly head: Sha256; readonly state: Sha256 }
  /** Ends the run without a result: the host was at fault. `reason` in words. Returns its head. */
  voided(reason: string): Sha256
}

/** Starts the run of a match: its header is the first of `lines()`. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { run, facts, seed, nonce } = options
  // Made when it is needed: few agents print anything, and a match may be short.
  let { secret } = options
  let text = ''
  let head: ChainValue = ''
  let n = 0
  let inputs = 0
  const printed = facts.seats.map(() => 0)
  let ended = false

  /** `body`: with n and r. Those below have their members in canonical order, so that nothing need be sorted. */
  const write = (tag: '+' | '-', body: Body): Sha256 => {
    if (ended) throw new Error(`run ${run} has ended`)
    const canonicalBody = canonicalText(body)
    if (canonicalBody.length * 3 > longestLine && Buffer.byteLength(canonicalBody) + 100 > longestLine) {
      throw new Error(`a line of run ${run} is longer than ${longestLine} bytes`)
    }
    const h = link(head, tag, sha256(canonicalBody))
    head = h
    text += lineOf(canonicalBody, h)
    n++
    return h
  }
  const print = (at: Ms, post: Post, stream: 'console' | 'stderr', words: string): void => {
    // An agent may print half a surrogate pair; what it printed is kept as far as text can hold it.
    secret ??= newNonce()
    const salt = saltOf(secret, n)
    write('+', { at: ms(at), k: 'console', n, post: { ...post }, r: run, salt, stream, text: words.toWellFormed() })
    printed[post.seat] = (printed[post.seat] ?? 0) + 1
  }

  const { attempt, clock, config, contest, description, game, host, isolation, limits, match, seats, version } = facts
  const before = {
    attempt,
    clock,
    commitment: commit(seed, nonce),
    config,
    contest,
    description,
    format: historyFormat,
  }
  write('-', { ...before, game, host, isolation, k: 'header', limits, match, n, r: run, seats, version })

  return {
    lines() {
      const drained = text
      text = ''
      return drained
    },
    get pending() {
      return text.length
    },
    get inputs() {
      return inputs
    },
    printed,
    input(at, audience, input) {
      const body = { at: ms(at), audience, input, k: 'input', n, r: run }
      write('-', audience === 'public' ? body : { ...body, salt: saltOf(nonce, n) })
      inputs++
    },
    fault(at, post, question, fault) {
      const { stderr, ...shown } = fault
      const told = { ...shown, text: shown.text.toWellFormed() }
      write('-', { at: ms(at), fault: told, k: 'fault', n, post: { ...post }, question, r: run })
      if (stderr !== undefined && stderr !== '') print(at, post, 'stderr', stderr)
    },
    console: (at, post, words) => print(at, post, 'console', words),
    checkpoint(state) {
      write('-', { inputs, k: 'checkpoint', n, r: run, state: hashOf(state) })
    },
    finish(at, outcome, state, removals = []) {
      const why = removals.length === 0 ? {} : { removals }
      const stateHash = hashOf(state)
      const before = { at: ms(at), inputs, k: 'outcome', n, nonce, outcome, r: run }
      const head = write('-', { ...before, ...why, seed, state: stateHash })
      ended = true
      return { head, state: stateHash }
    },
    voided(reason) {
      const h = write('-', { k: 'void', n, r: run, reason: reason.slice(0, 4_000).toWellFormed() })
      ended = true
      return h
    },
  }
}

/** The match clock to the microsecond: more digits only make lines longer. */
function ms(at: Ms): Ms {
  return Math.round(at * 1_000) / 1_000
}
