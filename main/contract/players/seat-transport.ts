import type { Fault } from '../faults.ts'
import type { EntrantId } from '../ids.ts'
import type { Json } from '../json.ts'

/**
 * A message from the worker to a player outside it, such as a person at the window. The worker measures the time; the
 * engine passes messages between the worker and a `SeatTransport`.
 */
export type RemoteCall =
  /** The match begins when `joined` is received, or without it when the start-up time is over. */
  | { readonly type: 'seat' }
  | { readonly type: 'ask'; readonly question: number; readonly message: Json; readonly limitMs: number }
  | { readonly type: 'tell'; readonly message: Json }
  /** The question is over: it timed out, or the referee withdrew it. */
  | { readonly type: 'withdraw'; readonly question: number }
  /** Before a verdict about time: read and pass on everything that has arrived, then answer with `checked`. */
  | { readonly type: 'check'; readonly check: number }
  /** The match is over for this player. */
  | { readonly type: 'close' }

/** A message from the remote player to the worker. `pauses`: as in `LineEvent`. */
export type RemoteEvent = RemoteNews & { readonly pauses?: readonly Pause[] }

export type RemoteNews =
  | { readonly type: 'joined' }
  | { readonly type: 'answer'; readonly question: number; readonly value: Json }
  /** Unsolicited. */
  | { readonly type: 'said'; readonly value: Json }
  /** Everything that had arrived at the request of this number has been passed on. */
  | { readonly type: 'checked'; readonly check: number }
  /** No more messages will follow. `reason`: one sentence. */
  | { readonly type: 'left'; readonly reason: string }

/** Passes messages to and from the bodies of one remote seat; a body's `hear` may be called at any time after its first call. */
export type SeatTransport = (call: RemoteCall, hear: (event: RemoteEvent) => void, body: number) => void

/** A post of an agent that connects from another machine, in one run of a match. */
export interface LinePlace {
  readonly run: number
  readonly entrant: EntrantId
  /** The number of the post among the entrant's in this match, from 0. */
  readonly line: number
}

/**
 * A message from a worker to the connection of a network agent. The game's dialogue runs in the worker; everything
 * between passes bytes on without reading them. `link` numbers the connections of the post, so that bytes for one
 * connection never reach the next.
 */
export type LineCall =
  /** The match begins: requests the post's connection, now or as soon as there is one. */
  | { readonly type: 'open' }
  | { readonly type: 'write'; readonly link: number; readonly bytes: Uint8Array }
  /** Ends this connection; the agent may come back with another one. `text` continues "The agent". */
  | { readonly type: 'cut'; readonly link: number; readonly text: string }
  /** Before a verdict about time: read and pass on everything that has arrived, then answer with `checked`. */
  | { readonly type: 'check'; readonly check: number }
  /** Flow control: this many bytes have been processed. */
  | { readonly type: 'took'; readonly link: number; readonly bytes: number }
  /**
   * The match is over for this post. Its connection stays open for the next match, or is closed with `reason` if the
   * dialogue is for one match. With `awaits` it is closed only after the pending answer has arrived or a short time has
   * passed. `refused`: the agent violated the protocol in the way that `reason` describes.
   */
  | { readonly type: 'shut'; readonly reason?: string; readonly awaits?: boolean; readonly refused?: boolean }

/**
 * A stretch of time in which the process that holds the connections stood still for `ms`, in ms of the machine's monotonic clock.
 * `ms` is less than its length where several pauses were joined.
 */
export interface Pause {
  readonly from: number
  readonly to: number
  readonly ms: number
}

/** A message from the connection to the worker. `pauses`: those that have ended since the last message of this match. */
export type LineEvent = LineNews & { readonly pauses?: readonly Pause[] }

export type LineNews =
  /** A connection is open. `native`: it uses the game's own protocol. */
  | { readonly type: 'up'; readonly link: number; readonly native?: true }
  | { readonly type: 'data'; readonly link: number; readonly bytes: Uint8Array }
  /** Everything that had arrived at the request of this number has been passed on. */
  | { readonly type: 'checked'; readonly check: number }
  /**
   * The connection has ended, or there is none. `text` continues "The agent"; `fault`: the reason, if it is a fault.
   */
  | { readonly type: 'down'; readonly link: number; readonly text: string; readonly fault?: Fault }

/** Passes bytes to and from network agents. `hear` may be called at any time after the first call of a run. */
export type ByteTransport = (place: LinePlace, call: LineCall, hear: (event: LineEvent) => void) => void
