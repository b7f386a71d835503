import type { Fault } from './faults.ts'
import type { EntrantId } from './ids.ts'
import type { Json } from './json.ts'

/**
 * A seat whose player is not in the worker: a person at the window. The worker keeps the clock; what is said here goes between
 * it and whoever carries the words on.
 */
export type RemoteCall =
  /** The match begins as soon as there is an answer `joined`; or without it, when the time to start is over. */
  | { readonly type: 'seat' }
  | { readonly type: 'ask'; readonly question: number; readonly message: Json; readonly limitMs: number }
  | { readonly type: 'tell'; readonly message: Json }
  /** The question is over: its time is up, or the referee wants no answer any more. */
  | { readonly type: 'withdraw'; readonly question: number }
  /** The match is over for this player. */
  | { readonly type: 'close' }

/** What comes back. */
export type RemoteEvent =
  | { readonly type: 'joined' }
  | { readonly type: 'answer'; readonly question: number; readonly value: Json }
  /** Unasked. */
  | { readonly type: 'said'; readonly value: Json }
  /** Nothing more will come, for this reason: one sentence. */
  | { readonly type: 'left'; readonly reason: string }

/** Carries what is said to one remote seat, and what it says; `hear` may be called at any time, from the first call on. */
export type SeatTransport = (call: RemoteCall, hear: (event: RemoteEvent) => void) => void

/** The post of an agent that connects from another machine: which one it is in which run of a match. */
export interface LinePlace {
  readonly run: number
  readonly entrant: EntrantId
  /** Which of the entrant's posts in this match, from 0. */
  readonly line: number
}

/**
 * What a worker says to the connection of an agent elsewhere. All of the game's dialogue stays in the worker: between the two go
 * bytes, and nobody on the way reads them. `link` numbers what the post has had of connections, so that nothing that was meant
 * for one of them reaches the next.
 */
export type LineCall =
  /** The match begins: the post's connection is wanted, now or as soon as there is one. */
  | { readonly type: 'open' }
  | { readonly type: 'write'; readonly link: number; readonly bytes: Uint8Array }
  /** So many bytes have been read; more than a few of them are not sent ahead. */
  | { readonly type: 'took'; readonly link: number; readonly bytes: number }
  /**
   * The match is over for this post; its connection stays for the next, or is closed where the dialogue is for one match:
   * with `reason`, and where it `awaits` an answer not before that has come or a moment has passed. `refused`: the agent has
   * broken the protocol, as `reason` says.
   */
  | { readonly type: 'shut'; readonly reason?: string; readonly awaits?: boolean; readonly refused?: boolean }

/** What comes back. */
export type LineEvent =
  /** A connection is there. `native`: it speaks the game's own protocol. */
  | { readonly type: 'up'; readonly link: number; readonly native?: true }
  | { readonly type: 'data'; readonly link: number; readonly bytes: Uint8Array }
  /** It has ended, or there is none: words that follow "The agent". `fault`: what it was ended for. */
  | { readonly type: 'down'; readonly link: number; readonly text: string; readonly fault?: Fault }

/** Carries bytes to and from agents elsewhere. `hear` may be called at any time, from the first call of a run on. */
export type ByteTransport = (place: LinePlace, call: LineCall, hear: (event: LineEvent) => void) => void
