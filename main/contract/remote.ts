import type { Json } from './json.ts'

/**
 * A seat whose player is not in the worker: a person at the window, an agent of another machine. The worker keeps the clock;
 * what is said here goes between it and whoever carries the words on.
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
export type RemoteCarrier = (call: RemoteCall, hear: (event: RemoteEvent) => void) => void
