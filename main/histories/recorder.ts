import type { Fault } from '../contract/faults.ts'
import type { Ms } from '../contract/clock.ts'
import type { Audience, Post } from '../contract/game/table.ts'
import { historyFormat, longestLine, type MatchFacts } from '../contract/histories/history.ts'
import type { Sha256 } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import type { Outcome, RemovalRecord } from '../contract/game/outcome.ts'
import { canonicalText, hashOf, sha256 } from './canonical.ts'
import { commit, chainLine, linkHash, saltOf, type ChainValue } from './chain.ts'
import { newNonce } from './nonce.ts'

interface Body {
  readonly n: number
  readonly r: number
  readonly [member: string]: unknown
}

export interface RecorderOptions {
  /** Unique within the contest's data, assigned by the main process. From 1. */
  readonly run: number
  readonly facts: MatchFacts
  /** The match's seed and nonce: 64 hex digits each, secret until the outcome line. */
  readonly seed: Sha256
  readonly nonce: Sha256
  /** Salts private lines and is never published. Default: fresh randomness; tests set it for reproducible bytes. */
  readonly secret?: string
}

/**
 * Writes the run of one match as text and keeps only the text not fetched yet. Every method except `lines` throws after
 * `finish` or `voided`, for values that canonical JSON cannot represent, and for a line longer than `longestLine`.
 */
export interface Recorder {
  /** The whole lines written since the last call. The first call returns the header first. */
  lines(): string
  /** Characters that `lines` would return. */
  readonly pending: number
  /** Inputs recorded so far. */
  readonly inputs: number
  /** The number of private lines of each seat so far. */
  readonly printed: readonly number[]
  /** An input that the rules have applied, and what they found out with it; null: nothing. */
  input(at: Ms, audience: Audience, input: Json, found?: Json | null): void
  /** A fault as it arrived. Its stderr is written as a separate private line. */
  fault(at: Ms, post: Post, question: number | null, fault: Fault): void
  /** An agent's output; it stays private to its team. */
  console(at: Ms, post: Post, text: string): void
  /** `save` returns the state after the inputs so far; it is not called by a recorder that needs no hash of it. */
  checkpoint(save: () => Json): void
  /**
   * Ends the run; returns its head and the hash of `state`, the saved final state. `removals`: why seats were removed.
   */
  finish(
    at: Ms,
    outcome: Outcome,
    state: Json,
    removals?: readonly RemovalRecord[],
  ): { readonly head: Sha256; readonly state: Sha256 }
  /** Ends the run without a result because of a host fault. `reason`: for people. Returns its head. */
  voided(reason: string): Sha256
}

/** Starts the run of a match; its header is the first line. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { run, facts, seed, nonce } = options
  // Drawn on first use, because few agents print anything.
  let { secret } = options
  let text = ''
  let head: ChainValue = ''
  let n = 0
  let inputs = 0
  const printed = facts.seats.map(() => 0)
  let ended = false

  /** Writes a body with n and r. Bodies below are written in canonical order of members, which avoids sorting. */
  const write = (tag: '+' | '-', body: Body): Sha256 => {
    if (ended) throw new Error(`run ${run} has ended`)
    const canonicalBody = canonicalText(body)
    if (canonicalBody.length * 3 > longestLine && Buffer.byteLength(canonicalBody) + 100 > longestLine) {
      throw new Error(`a line of run ${run} is longer than ${longestLine} bytes`)
    }
    const h = linkHash(head, tag, sha256(canonicalBody))
    head = h
    text += chainLine(canonicalBody, h)
    n++
    return h
  }
  const print = (at: Ms, post: Post, stream: 'console' | 'stderr', words: string): void => {
    // An agent may print a lone surrogate, which `toWellFormed` replaces.
    secret ??= newNonce()
    const salt = saltOf(secret, n)
    write('+', {
      at: microseconds(at),
      k: 'console',
      n,
      post: { ...post },
      r: run,
      salt,
      stream,
      text: words.toWellFormed(),
    })
    printed[post.seat] = (printed[post.seat] ?? 0) + 1
  }

  write('-', headerBody(run, facts, commit(seed, nonce)))

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
    input(at, audience, input, found = null) {
      const findings = found === null ? {} : { found }
      const body = { at: microseconds(at), audience, ...findings, input, k: 'input', n, r: run }
      write('-', audience === 'public' ? body : { ...body, salt: saltOf(nonce, n) })
      inputs++
    },
    fault(at, post, question, fault) {
      const { stderr, ...shown } = fault
      const recorded = { ...shown, text: shown.text.toWellFormed() }
      write('-', { at: microseconds(at), fault: recorded, k: 'fault', n, post: { ...post }, question, r: run })
      if (stderr !== undefined && stderr !== '') print(at, post, 'stderr', stderr)
    },
    console: (at, post, words) => print(at, post, 'console', words),
    checkpoint(save) {
      write('-', { inputs, k: 'checkpoint', n, r: run, state: hashOf(save()) })
    },
    finish(at, outcome, state, removals = []) {
      const why = removals.length === 0 ? {} : { removals }
      const stateHash = hashOf(state)
      const before = { at: microseconds(at), inputs, k: 'outcome', n, nonce, outcome, r: run }
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

/** The first body of a run, with its members in canonical order. */
function headerBody(run: number, facts: MatchFacts, commitment: Sha256): Body {
  const { attempt, clock, config, contest, description, game, host, isolation, limits, match, seats, version } = facts
  const about = { attempt, clock, commitment, config, contest, description, format: historyFormat }
  const groups = facts.groups === undefined ? {} : { groups: facts.groups }
  const seeds = facts.seeds === undefined ? {} : { seeds: facts.seeds }
  const rest = { host, isolation, k: 'header', limits, match, n: 0, r: run, seats, ...seeds, version }
  return { ...about, game, ...groups, ...rest }
}

/** A time rounded to microseconds, because more digits only make lines longer. */
function microseconds(at: Ms): Ms {
  return Math.round(at * 1_000) / 1_000
}

/** Stands for the hashes of a run that nobody keeps. */
const noHash = '0'.repeat(64)

/** An input, a fault or output of a match that nobody keeps, with the members that its line in a history would have. */
export type UnkeptBody =
  | { readonly k: 'input'; readonly at: Ms; readonly audience: Audience; readonly input: Json }
  | {
      readonly k: 'fault'
      readonly at: Ms
      readonly post: Post
      readonly question: number | null
      readonly fault: Omit<Fault, 'stderr'>
    }
  | {
      readonly k: 'console'
      readonly at: Ms
      readonly post: Post
      readonly stream: 'console' | 'stderr'
      readonly text: string
    }

/**
 * A recorder for a match that nobody keeps: it writes inputs, faults and output with the members that a history has, but no
 * header, no end, no salts and no chain, so that nothing is hashed and nothing is put into canonical order. `tell`: is called with
 * each of them at once, and nothing is written; its values are those of the match, and must not be changed.
 */
export function createUnkeptRecorder(run: number, seats: number, tell?: (body: UnkeptBody) => void): Recorder {
  let text = ''
  let n = 0
  let inputs = 0
  const printed = Array.from({ length: seats }, () => 0)
  const write = (body: UnkeptBody): void => {
    if (tell !== undefined) return tell(body)
    const line = JSON.stringify({ ...body, n, r: run })
    if (line.length > longestLine) throw new Error(`a line of run ${run} is longer than ${longestLine} characters`)
    text += `{"b":${line}}\n`
    n++
  }
  const print = (at: Ms, post: Post, stream: 'console' | 'stderr', words: string): void => {
    write({ at: microseconds(at), k: 'console', post, stream, text: words.toWellFormed() })
    printed[post.seat] = (printed[post.seat] ?? 0) + 1
  }
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
      write({ at: microseconds(at), audience, input, k: 'input' })
      inputs++
    },
    fault(at, post, question, { stderr = '', ...fault }) {
      write({ at: microseconds(at), fault: { ...fault, text: fault.text.toWellFormed() }, k: 'fault', post, question })
      if (stderr !== '') print(at, post, 'stderr', stderr)
    },
    console: (at, post, words) => print(at, post, 'console', words),
    checkpoint: () => undefined,
    finish: () => ({ head: noHash, state: noHash }),
    voided: () => noHash,
  }
}
