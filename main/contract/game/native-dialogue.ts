import type { NetworkPost } from '../players/arena.ts'
import type { WireHost } from './wire.ts'

/** Splits the bytes of one connection, which arrive in arbitrary chunks, into whole messages. */
export interface Framing {
  /** The messages completed by this chunk, each with its framing bytes; a sentence: why the stream is invalid. */
  read(chunk: Uint8Array): readonly Uint8Array[] | string
}

/** The opening request of a WebSocket. */
export interface NativeRequest {
  /** Header values in order of arrival, by lower-case name. */
  readonly headers: Readonly<Partial<Record<string, readonly string[]>>>
}

/** The post that a connection claims. */
export type NativeClaim =
  /** The next free post; a client that reconnects under the same name gets its former post. */
  | { readonly by: 'arrival'; readonly name?: string }
  /**
   * The post with this credential. `user`: the post's name as sent by the client; absent: the dialogue has no names.
   */
  | { readonly by: 'credential'; readonly user?: string; readonly password: string }

/** A sign-in's reaction to a message. */
export interface NativeStep {
  readonly write?: Uint8Array
  readonly claim?: NativeClaim
  /** Refuses the connection with this sentence. */
  readonly refusal?: string
}

/**
 * The dialogue of one connection outside of matches: its sign-in, and the messages before, between and after its
 * matches. Messages after the one with the claim belong to the match.
 */
export interface NativeSignIn {
  /** The connection is open. `request`: that of a WebSocket; null: plain TCP. */
  joined(request: NativeRequest | null): NativeStep
  /** Handles one whole message before the claim. */
  receive(message: Uint8Array): NativeStep
  /** The reply to an accepted claim; null: none. */
  accepted(post: NetworkPost): Uint8Array | null
  /** The message to a refused connection; `text` gives the reason. null: the dialogue has no such message. */
  refused(text: string): Uint8Array | null
  /**
   * The message before a signed-in connection is closed outside of a match; otherwise like `refused`. `why`: no more matches
   * follow, or the connection violated the protocol.
   */
  goodbye(text: string, why: 'over' | 'offence'): Uint8Array | null
  /**
   * The reply to a message outside of matches, such as a ping: between two matches, and where connections stay for the contest
   * before the first one. Absent: none.
   */
  idle?(message: Uint8Array): Uint8Array | null
  /** True for the message that a farewell waits for. Absent: any message will do. */
  settles?(message: Uint8Array): boolean
}

/** The end of a connection's dialogue after a match. */
export interface Farewell {
  readonly messages: readonly Uint8Array[]
  /** The close reason of a WebSocket: ASCII, 123 bytes at most. */
  readonly reason?: string
  /** The client still owes an answer and gets a short time for it before the connection is closed. */
  readonly awaits?: boolean
}

/** How a game's own clients connect. */
export interface NativeEntry {
  readonly transport: 'tcp' | 'web-socket'
  /** `match`: a connection is for one match and then closed; the client reconnects. `contest`: it stays open. */
  readonly connection: 'match' | 'contest'
  /** How to pass the identity to a client, in a sentence or two for the person who starts it. */
  readonly guide: string
  /** Creates the framing of one connection. `most`: maximum bytes of a message. A WebSocket frame arrives as a line. */
  framing(most: number): Framing
  /** Creates the sign-in of one connection. */
  signIn(host: WireHost): NativeSignIn
}
