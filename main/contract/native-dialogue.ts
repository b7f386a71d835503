import type { NetworkPost } from './arena.ts'

/** Cuts the bytes of one connection into whole messages, however they come. */
export interface Framing {
  /** The messages that have become whole, each with the bytes that frame it; a sentence: why no message can follow. */
  read(chunk: Uint8Array): readonly Uint8Array[] | string
}

/** What the opening request of a WebSocket said. */
export interface NativeRequest {
  /** By name in lower case: the values in the order in which they came. */
  readonly headers: Readonly<Partial<Record<string, readonly string[]>>>
}

/** Which post a connection wants. */
export type NativeClaim =
  /** The next free one; whoever comes again under the same name gets the post that it had. */
  | { readonly by: 'arrival'; readonly name?: string }
  /** The one whose credential this is. `user`: the post's name as the client knows it; absent: the dialogue has none. */
  | { readonly by: 'credential'; readonly user?: string; readonly password: string }

/** What a sign-in makes of what has come. */
export interface NativeStep {
  readonly write?: Uint8Array
  readonly claim?: NativeClaim
  /** The connection is sent away with this sentence. */
  readonly refusal?: string
}

/**
 * One connection as far as it is not a match: how it says who it is, and what is said to it before, between and after its
 * matches. What follows the message with the claim belongs to the match.
 */
export interface NativeSignIn {
  /** The connection is there. `request`: of a WebSocket; null: it is a plain one. */
  joined(request: NativeRequest | null): NativeStep
  /** One whole message before the claim. */
  receive(message: Uint8Array): NativeStep
  /** Said to a connection whose claim was good; null: nothing. */
  accepted(post: NetworkPost): Uint8Array | null
  /** Said to a connection that is sent away: `text` says why. null: the dialogue has no words for it. */
  refused(text: string): Uint8Array | null
  /** Said before a connection that had signed in is closed outside of a match; as `refused`. */
  goodbye(text: string): Uint8Array | null
  /** What is answered to a message between two matches, such as a ping. Absent: nothing. */
  idle?(message: Uint8Array): Uint8Array | null
  /** Whether this message is what a farewell still waited for. Absent: any is. */
  settles?(message: Uint8Array): boolean
}

/** How a connection is left after a match. */
export interface Farewell {
  readonly messages: readonly Uint8Array[]
  /** With which a WebSocket is closed: ASCII, 123 bytes at most. */
  readonly reason?: string
  /** The client is still at work on an answer and is given a moment for it before the connection is closed. */
  readonly awaits?: boolean
}

/** How a game's own clients connect. */
export interface NativeEntry {
  readonly transport: 'tcp' | 'web-socket'
  /** `match`: a connection is for one match and closed after it; the client comes again. `contest`: it stays. */
  readonly connection: 'match' | 'contest'
  /** How a client is told who it is, in a sentence or two for whoever starts one. */
  readonly guide: string
  /** For one connection. `most`: bytes that a message may have. A frame of a WebSocket comes as a line. */
  framing(most: number): Framing
  /** For one connection. */
  signIn(): NativeSignIn
}
