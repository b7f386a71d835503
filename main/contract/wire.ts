import type { Ms } from './clock.ts'
import type { Fault } from './faults.ts'
import type { Json } from './json.ts'

/** What a wire wants done, in order. `body`: where the wire is of a whole seat, whose it is; absent: of the first. */
export type WireEffect<A> =
  | { readonly type: 'write'; readonly bytes: Uint8Array }
  /**
   * `to` null: the wire does not number questions; this answers the oldest one of this body written to this connection that
   * has had no answer yet, also when that one is over (then it is late), and is `said` when there is none.
   */
  | { readonly type: 'answer'; readonly to: number | null; readonly value: A; readonly body?: number }
  | { readonly type: 'said'; readonly value: A; readonly body?: number }
  /**
   * `to`: the question that the fault answers, where it answers one. `gone`: nothing more will come from this connection or
   * process.
   */
  | {
      readonly type: 'fault'
      readonly to?: number
      readonly fault: Fault
      readonly gone: boolean
      readonly body?: number
    }
  /** A line for the agent's own team. */
  | { readonly type: 'console'; readonly text: string; readonly body?: number }
  /** The handshake is through. */
  | { readonly type: 'ready' }
  /** Close this connection or process. A process-a-move wire is given a fresh one before its next `send`. */
  | { readonly type: 'close' }

/** A question as a wire writes it: some dialogues carry its number and its deadline. */
export interface WireQuestion {
  readonly number: number
  readonly limitMs: Ms
}

/** What a wire can learn of the world around it. */
export interface WireHost {
  /** Unix time in ms at a moment of the wire's own clock, for dialogues that tell clients the time. */
  unixMs(at: Ms): number
}

/** What a program that is started anew for each question hands from one of its processes to the next. */
export interface CarriedState {
  /** What was kept last; null at first. */
  readonly value: Json
  /** Keeps this state from now on. A refusal in words, for a state that is too large, keeps the one before. */
  keep(state: Json): string | null
}

/** What the wire of a process a move is given. It outlives the processes; the state lives here. */
export interface MoveWireHost extends WireHost {
  readonly state: CarriedState
}

/**
 * The stateful dialogue of one post, or of a seat with all of its bodies, over bytes: handshake, framing, pings, resends, late
 * answers, a process a move. It outlives its connections and processes; `send` is called only while one is up and its handshake
 * is through. `at`: ms since the post was seated, the only clock a wire has.
 */
export interface Wire<M, A> {
  /** A connection or process has come up (again). */
  joined(at: Ms): readonly WireEffect<A>[]
  receive(chunk: Uint8Array, at: Ms): readonly WireEffect<A>[]
  /** The connection or process has ended. Not called after the wire's own `close`. */
  left(at: Ms): readonly WireEffect<A>[]
  /** `question` null: no answer is wanted. `body`: to whom; absent: to the first. */
  send(message: M, question: WireQuestion | null, at: Ms, body?: number): readonly WireEffect<A>[]
  /** The question is over without an answer: its time is up, or the referee has withdrawn it. */
  withdrawn(question: number, at: Ms): readonly WireEffect<A>[]
}
