import type { Fault } from '../../contract/faults.ts'

/** How a channel ended by itself, in words that follow "The agent". */
export interface ChannelEnd {
  readonly text: string
  /** The exit code of a process that ended by itself. */
  readonly code?: number
  /** It was ended for this, by whoever watches it; absent: it crashed. */
  readonly fault?: Fault
  /** It was killed from outside, by no act of its own: in words. */
  readonly interrupted?: string
}

export interface ChannelListener {
  data(chunk: Uint8Array): void
  /** What the agent wrote to stderr, as it comes. */
  printed(text: string): void
  /** Called once, after the last `data`, and not after our own `close`. */
  end(end: ChannelEnd): void
}

/** What an agent that stops reading may leave lying with us before it is given up. */
export const unreadBytes = 67_108_864

/** Bytes to and from an agent: a connection, or the pipes of a process. */
export interface Channel {
  /** Begins to listen. */
  start(listener: ChannelListener): void
  /** One message, one write. Never throws; what a dead agent cannot read is dropped. */
  write(bytes: Uint8Array): void
  /** Bytes written that the agent's side has not taken yet. */
  unread(): number
  /** Ends it for good, the process with all of its group. Idempotent. */
  close(): void
}

/**
 * Where a player's channels come from. `never`: one for the match, its end is the agent's end. `on-send`: a fresh one
 * whenever something is to be said and none is up (a process a move). `by-itself`: the agent comes, drops and comes back.
 */
export interface ChannelSource {
  readonly reopens: 'never' | 'on-send' | 'by-itself'
  /**
   * never, on-send: each call hands over one channel, now or later. by-itself: called once, hands over every channel that comes,
   * a newer one in place of the one that is up. `failed`: there is none, and will be none.
   */
  open(up: (channel: Channel) => void, failed: (end: ChannelEnd) => void): void
  /** No further channels. `fault`: what the agent is sent away for, where it is; absent: the match is over. Idempotent. */
  close(fault?: Fault): void
}
