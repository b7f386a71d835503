import type { Fault } from '../../contract/faults.ts'
import type { Meter } from '../time-limit.ts'

/** How a channel ended; the text continues a sentence that begins with "The agent". */
export interface ChannelEnd {
  readonly text: string
  /** The exit code of a process that exited by itself. */
  readonly code?: number
  /** The fault for which its watcher ended it; absent: it crashed. */
  readonly fault?: Fault
  /** Why it was killed from outside, not because of its own actions. */
  readonly interrupted?: string
}

export interface ChannelListener {
  data(chunk: Uint8Array): void
  /** Text that the agent wrote to stderr, as it arrives. */
  printed(text: string): void
  /** Called once, after the last `data`; not called after our own `close`. */
  end(end: ChannelEnd): void
}

/** The maximum number of bytes that wait for an agent that has stopped reading; beyond it the agent is given up. */
export const unreadBytes = 67_108_864

/** Bytes to and from an agent: a connection, or the pipes of a process. */
export interface ByteChannel {
  /** Starts to listen. */
  start(listener: ChannelListener): void
  /** Writes one message at once. Never throws; data for a dead agent is dropped. */
  write(bytes: Uint8Array): void
  /**
   * Nothing more will be written: the agent reads the end of its input. `last`: after `close` it has a moment to read the rest and to
   * exit by itself. Absent: the channel cannot tell it.
   */
  endInput?(last: boolean): void
  /** The number of written bytes that the agent's side has not accepted yet. */
  unread(): number
  /** Closes it permanently and ends the process with its whole group. Idempotent. */
  close(): void
  /** Like `close`, for a connection that `close` only releases: it ends. Absent: `close` ends it. */
  cut?(): void
}

/**
 * The source of a player's channels. `never`: one channel for the match, whose end is the agent's end. `on-send`: a
 * new one whenever something is sent and none is open (a process per move). `by-itself`: the agent connects,
 * disconnects and reconnects.
 */
export interface ChannelSource {
  readonly reopens: 'never' | 'on-send' | 'by-itself'
  /**
   * never, on-send: each call provides one channel, now or later. by-itself: called once, provides every channel that
   * connects; a newer one replaces the current one. `failed`: there is none, and there will be none.
   */
  open(up: (channel: ByteChannel) => void, failed: (end: ChannelEnd) => void): void
  /** Starts to count what keeps the agent waiting elsewhere. Absent: nothing does. */
  meter?(): Meter
  /** Calls back when everything that has arrived has been read. Absent: after one turn of the event loop. */
  settle?(then: () => void): void
  /** No further channels. `fault`: why the agent is removed; absent: the match is over. Idempotent. */
  close(fault?: Fault): void
}
