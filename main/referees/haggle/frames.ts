import * as z from 'zod'
import type { Json } from '../../contract/json.ts'
import type { Share } from './rules.ts'

/** Side 0 moves first. */
export type Side = 0 | 1

/** A client's messages, one JSON text per frame. Additional fields are ignored. */
const clientFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('pow'), nonce: z.string() }),
  /** Without an offer: accepts. */
  z.object({ type: z.literal('offer'), offer: z.unknown().optional() }),
  /** A log entry of its script, for its own team. */
  z.object({ type: z.literal('info'), text: z.unknown().optional() }),
  z.object({ type: z.literal('abort'), reason: z.unknown().optional() }),
])
export type ClientFrame = z.infer<typeof clientFrame>

/** The arena's messages. The original client disconnects at any other type and at any other kind of log. */
export type ServerFrame =
  | { readonly type: 'log'; readonly arg: Log }
  | { readonly type: 'start'; readonly opt: Start }
  /** The partner's offer; absent: the partner accepts. */
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

/** Reads a frame; a string says what is wrong with it. */
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

/** The maximum number of entries of a demand, one for each type of objects; no game has more types. */
const DEMAND_MAX = 100
/** Replaces a demand that is neither falsy nor a short list of numbers; it is just as invalid. */
const NO_DEMAND = 'something that is no list of a few numbers'

/** The demand of an offer frame, small enough for a history. Absent or falsy: an acceptance. */
export function demandOf({ offer }: { readonly offer?: unknown }): Json {
  if (!offer) return null
  return isDemand(offer) ? offer : NO_DEMAND
}

function isDemand(offer: unknown): offer is number[] {
  return Array.isArray(offer) && offer.length <= DEMAND_MAX && offer.every((each) => Number.isFinite(each))
}

/** A client's reason for walking away, safe to print on its partner's terminal. */
export function reasonOf({ reason }: { readonly reason?: unknown }): string {
  if (typeof reason !== 'string' || reason === '') return 'Session canceled'
  return reason.slice(0, 400).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')
}

/** In lower case, as in Node's requests. */
const idHeader = 'x-hola-challenge-id'

/** The text of an HTTP header: ISO 8859-1 without control characters. */
const sensible = /^[\x20-\x7e\xa0-\xff]{1,256}$/

/**
 * Identifies a client by the headers of its request, or returns the reason for a refusal as a sentence. The id is a
 * password.
 */
export function readHello(
  headers: Readonly<Partial<Record<string, readonly string[]>>>,
): { readonly id: string } | { readonly refusal: string } {
  const [id, ...more] = headers[idHeader] ?? []
  if (id === undefined || id === '')
    return { refusal: 'An id is needed: the header X-Hola-Challenge-ID (option --id).' }
  if (more.length > 0) return { refusal: 'There is more than one header X-Hola-Challenge-ID.' }
  if (!sensible.test(id)) return { refusal: 'The id must be 1 to 256 printable characters.' }
  return { id }
}
