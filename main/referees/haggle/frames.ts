import { z } from 'zod'
import type { Json } from '../../contract/json.ts'
import type { Share } from './rules.ts'

/** Who moves first is 0. */
export type Side = 0 | 1

/** What a client may say, one JSON text a frame. More fields than these are not looked at. */
const clientFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('pow'), nonce: z.string() }),
  /** No offer: I accept. */
  z.object({ type: z.literal('offer'), offer: z.unknown().optional() }),
  /** What its script logs, for its own team. */
  z.object({ type: z.literal('info'), text: z.unknown().optional() }),
  z.object({ type: z.literal('abort'), reason: z.unknown().optional() }),
])
export type ClientFrame = z.infer<typeof clientFrame>

/** What the arena says. The original client breaks off at any other type, and at a log of any other kind. */
export type ServerFrame =
  | { readonly type: 'log'; readonly arg: Log }
  | { readonly type: 'start'; readonly opt: Start }
  /** What you get; no offer: the partner accepts. */
  | { readonly type: 'offer'; readonly offer?: Share }

/** An entry of a session's log, in the original's format. */
export type Log =
  | readonly ['network', string]
  /** `pow:BITS` */
  | readonly ['network', string, string]
  | readonly ['offer', Side, readonly [Share, Share]]
  | readonly ['abort', Side, string]
  | readonly ['valuation', Side, Share]
  | readonly ['score', Side, number]
  | readonly ['done', boolean]

/** The arguments of a script's constructor. */
export interface Start {
  readonly me: Side
  readonly counts: Share
  readonly values: Share
  readonly max_rounds: number
}

/** Reads a frame; a string: what is wrong with it, in a sentence. */
export function readFrame(text: string): ClientFrame | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'A frame is not JSON.'
  }
  const read = clientFrame.safeParse(value)
  return read.success ? read.data : 'A frame is none of pow, offer, info and abort.'
}

/** The demand of an offer frame. It came from JSON text; absent, it is an acceptance. */
export function demandOf({ offer }: { readonly offer?: unknown }): Json {
  return (offer ?? null) as Json
}

/** A client's words for walking away, fit for its partner's terminal. */
export function reasonOf({ reason }: { readonly reason?: unknown }): string {
  if (typeof reason !== 'string' || reason === '') return 'Session canceled'
  return reason.slice(0, 400).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')
}
