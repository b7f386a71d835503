import type { Ms } from '../clock.ts'
import type { Fault } from '../faults.ts'
import type { Json } from '../json.ts'

/** The requests of a wire, in order. `body`: the body concerned, for the wire of a whole seat; absent: the first. */
export type WireEffect<A> =
  | { readonly type: 'write'; readonly bytes: Uint8Array }
  /**
   * `to` null: the wire does not number questions. The value answers the oldest unanswered question that was written to
   * this body on this connection, even if that question is over (the answer is then late); if there is none, it counts
   * as `said`.
   */
  | { readonly type: 'answer'; readonly to: number | null; readonly value: A; readonly body?: number }
  | { readonly type: 'said'; readonly value: A; readonly body?: number }
  /**
   * `to`: the question that the fault answers, if any. `gone`: nothing more will arrive from this connection or
   * process. `unreadable`: the bytes are not a message, so they may be text that was printed for people.
   */
  | {
      readonly type: 'fault'
      readonly to?: number
      readonly fault: Fault
      readonly gone: boolean
      readonly unreadable?: true
      readonly body?: number
    }
  /** A line for the agent's own team. */
  | { readonly type: 'console'; readonly text: string; readonly body?: number }
  /** The handshake is complete. */
  | { readonly type: 'ready' }
  /**
   * Nothing more will be written: the input of a process ends. A connection stays as it is. `last`: nothing is wanted of it any
   * more, either. When it is closed it has a moment to read what was written and to exit by itself.
   */
  | { readonly type: 'end-input'; readonly last?: true }
  /**
   * Close this connection or process. A wire with a process for each move gets a new one before its next `send`. `last`: no
   * further one will be needed, so that none is started in advance.
   */
  | { readonly type: 'close'; readonly last?: true }

/** A question for a wire to write; some dialogues include its number and its time limit. */
export interface WireQuestion {
  readonly number: number
  readonly limitMs: Ms
}

/** The services of a wire's host. */
export interface WireHost {
  /** The server's clock, for dialogues that tell clients the time: whole ms of Unix time, the same for all posts; it never goes back. */
  unixNow(): number
}

/** State that a program started anew for each question passes from one process to the next. */
export interface CarriedState {
  /** The last state kept; initially null. */
  readonly value: Json
  /** Replaces the state. If it is too large, returns the reason and keeps the previous state; otherwise null. */
  keep(state: Json): string | null
}

/** The host of a wire with a process for each move. The wire outlives the processes; their state is kept here. */
export interface MoveWireHost extends WireHost {
  readonly state: CarriedState
}

/**
 * The stateful dialogue of one post, or of a seat with all of its bodies, over bytes: handshake, framing, pings,
 * resends, late answers, a process for each move. It outlives its connections and processes; `send` is called only
 * while one is up and its handshake is complete. `at`: ms since the post was seated, the only clock of a wire.
 */
export interface Wire<M, A> {
  /** The first message that it waits for, for the fault of somebody who says nothing: `reg: NAME ROLE`. Absent: none is special. */
  readonly greeting?: string
  /** A connection or process has come up (again). */
  joined(at: Ms): readonly WireEffect<A>[]
  receive(chunk: Uint8Array, at: Ms): readonly WireEffect<A>[]
  /** The connection or process has ended. Not called after the wire's own `close`. */
  left(at: Ms): readonly WireEffect<A>[]
  /** `question` null: no answer is expected. `body`: the recipient; absent: the first body. */
  send(message: M, question: WireQuestion | null, at: Ms, body?: number): readonly WireEffect<A>[]
  /** The question is over without an answer: it timed out, or the referee withdrew it. */
  withdrawn(question: number, at: Ms): readonly WireEffect<A>[]
  /** A question that was never sent: its process ended before its handshake, or its time was up before. */
  unsent?(message: M, body?: number): void
}
