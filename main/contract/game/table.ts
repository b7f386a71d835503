import type { Ms } from '../clock.ts'
import type { Fault } from '../faults.ts'
import type { EntrantId, SeatId, Sha256 } from '../ids.ts'
import type { Json } from '../json.ts'
import type { TableSpectators } from './live-match.ts'

/** A place in a match. */
export interface Seat {
  readonly id: SeatId
  /** The entrant of the match that sits here, from 0. One entrant may take several seats, also in several roles. */
  readonly entrant: number
  readonly role: string
  /** Lines of communication: more than one only for a seat with several bodies. */
  readonly bodies: number
}

/** One line of communication with a seat. */
export interface Post {
  readonly seat: SeatId
  readonly body: number
}

/** The readers of an event while the match runs. `sealed`: no one. When the match has ended, every input is public. */
export type Audience = 'public' | 'sealed' | readonly SeatId[]

/** Everything that reaches a referee, in one total order. */
export type Arrival<A> = { readonly at: Ms; readonly post: Post } & (
  | { readonly type: 'answer'; readonly to: number; readonly late: boolean; readonly value: A; readonly tookMs: Ms }
  /** Unsolicited: an action of the asynchronous game, an abort, a ping's payload. */
  | { readonly type: 'said'; readonly value: A }
  | { readonly type: 'fault'; readonly to: number | null; readonly fault: Fault; readonly gone: boolean }
  /** A network player (re)connected or disconnected. */
  | { readonly type: 'joined' | 'left' }
)

/** A question of a referee. */
export interface Question<M> {
  readonly post: Post
  readonly message: M
  readonly limitMs: Ms
  /** It starts the agent (a constructor, a set-up) and does not use the seat's time bank. */
  readonly start?: boolean
}

/**
 * A referee's only interface to players, clock and state. M: messages to players, A: answers of players, I: inputs of
 * the rules, S: the state. The table owns the state: only `commit` changes it, and everything committed is recorded, so
 * a history always replays to the same state.
 */
export interface Table<M, A, I, S> {
  readonly seats: readonly Seat[]
  readonly state: S
  now(): Ms
  /** A stream of unsigned 32-bit numbers that depends only on the match's seed and the stream's name. */
  random(stream: string): () => number
  /** Returns the question's number at once. Throws for a post that has an open question or was dismissed. */
  ask(question: Question<M>): number
  /** Withdraws a question. A later answer arrives with `late: true`. */
  withdraw(question: number): void
  tell(to: readonly Post[], message: M): void
  /** The only await: the next arrival, or `time` when the match clock passes `until`. */
  next(until: Ms): Promise<Arrival<A> | 'time'>
  /** Closes all posts of a seat; nothing more arrives from them. Idempotent. */
  dismiss(seat: SeatId): void
  /** Applies and records an input; null: done. Otherwise the reason for refusing it; nothing is changed or recorded. */
  commit(input: I, audience: Audience): string | null
}

/** The limits that concern a referee; players enforce those of memory and output. */
export interface RefereeLimits {
  /** For a question that starts the agent: a constructor, a set-up. */
  readonly startMs: Ms
  readonly moveMs: Ms
  readonly bankMs?: Ms
  readonly strikes?: number
}

/** The log of a match as it is played. Times are ms on the match clock. */
export interface MatchLog {
  /**
   * An input that the rules have applied. `save` returns the state after it, for checkpoints. `found`: what the rules found out
   * with it; null: nothing.
   */
  input(at: Ms, audience: Audience, input: Json, save: () => Json, found: Json | null): void
  /** A fault as it arrived; `question` null: no question was open. */
  fault(at: Ms, post: Post, question: number | null, fault: Fault): void
  /** An agent's output, for its own team. */
  console(at: Ms, post: Post, text: string): void
}

/** A table without the game's types, with the log of its match; created by the worker. */
export interface RawTable extends Omit<Table<Json, Json, Json, unknown>, 'commit' | 'state'>, MatchLog {
  /** Absent: the match cannot be watched while it is played. */
  readonly spectators?: TableSpectators
}

/** Identity of a seat in a history's header. */
export interface SeatRecord extends Seat {
  readonly name: EntrantId
  readonly agent: Sha256
  readonly elsewhere?: true
}
