import { createHmac, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import * as z from 'zod'
import { entrantId, matchNumber, seatId, sha256Hex } from '../../contract/ids.ts'
import { signedBy } from '../../histories/keys.ts'
import type { MatchJob } from '../../worker/protocol.ts'
import { isNameOf, type WorkerIdentity } from './worker-identity.ts'

/** Maximum bytes of a match's history, unpacked; a larger one does not come back. */
const HISTORY_MAX = 256 * 1024 * 1024

/** A match as it stands in the queue. */
const job = z.strictObject({
  run: z.int().min(1),
  match: matchNumber,
  attempt: z.int().min(1),
  seed: sha256Hex,
  nonce: sha256Hex,
  entrants: z.array(z.strictObject({ name: entrantId, agent: sha256Hex })).max(1_000),
  fresh: z.boolean(),
  crashing: z.array(seatId).max(1_000).exactOptional(),
  voided: z.string().max(4_000).exactOptional(),
  variant: z.int().min(0).exactOptional(),
})
const order = z.strictObject({
  session: z.string().regex(/^[0-9a-f]{32}$/),
  /** SHA-256 of the text of the session's setup. */
  setup: sha256Hex,
  /** How often the run has been ordered, with this time. */
  number: z.int().min(1),
  job,
})
export interface Order extends Omit<z.infer<typeof order>, 'job'> {
  readonly job: MatchJob
}

/** A worker's report of a run. Everything else about the run is in its lines, which are checked. */
const result = z.strictObject({
  run: z.int().min(1),
  /** The number of the order that it answers. */
  order: z.int().min(1),
  worker: z.string().min(1).max(200),
  /** The lines of its history; null: the match was interrupted, for this reason. */
  lines: z.string().nullable(),
  reason: z.string().max(4_000).exactOptional(),
  seat: seatId.exactOptional(),
})
export type RunResult = z.infer<typeof result>

/** A message with a proof that its writer knows the token. */
const sealed = z.strictObject({ body: z.string(), mac: z.string().max(64) })

/** A packed result, with a proof of which worker it is from. */
const signed = z.strictObject({ packed: z.base64(), key: sha256Hex, signature: z.string().max(128) })

const macOf = (token: string, body: string): string => createHmac('sha256', token).update(body).digest('hex')

function seal(token: string, body: string): string {
  return JSON.stringify({ body, mac: macOf(token, body) })
}

/** The body of a sealed message; null: the text is not a sealed message, or its sender does not know the token. */
function unseal(token: string, text: string): string | null {
  const read = sealed.safeParse(parsed(text))
  if (!read.success) return null
  const { body, mac } = read.data
  const [wanted, found] = [Buffer.from(macOf(token, body)), Buffer.from(mac)]
  return wanted.length === found.length && timingSafeEqual(wanted, found) ? body : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const sealOrder = (token: string, given: Order): string => seal(token, JSON.stringify(given))

/** null: the text is not an order, or not of a classroom with this token. */
export function openOrder(token: string, text: string): Order | null {
  const body = unseal(token, text)
  const read = order.safeParse(body === null ? undefined : parsed(body))
  return read.success ? read.data : null
}

/** The content that a worker signs. */
const signedText = (session: string, packed: string): string => `${session} ${packed}`

/**
 * Packs a result, whose lines are compressed. `session` is covered by seal and signature.
 */
export async function sealResult(
  token: string,
  session: string,
  { name, key }: WorkerIdentity,
  result: Omit<RunResult, 'worker'>,
): Promise<string> {
  const given: RunResult = { ...result, worker: name }
  const packed = (await promisify(gzip)(JSON.stringify(given))).toString('base64')
  const signature = key.sign(signedText(session, packed))
  return seal(token, `${session} ${JSON.stringify({ packed, key: key.publicKey, signature })}`)
}

/**
 * null: the text is not a result of this session by a worker with this token, is too large, or is not signed by the worker
 * that it names.
 */
export async function openResult(token: string, session: string, text: string): Promise<RunResult | null> {
  const body = unseal(token, text)
  if (body === null || !body.startsWith(`${session} `)) return null
  const read = signed.safeParse(parsed(body.slice(session.length + 1)))
  if (!read.success) return null
  const { packed, key, signature } = read.data
  if (!signedBy(key, signedText(session, packed), signature)) return null
  try {
    const unpacked = await promisify(gunzip)(Buffer.from(packed, 'base64'), { maxOutputLength: HISTORY_MAX })
    const { data } = result.safeParse(parsed(unpacked.toString('utf8')))
    return data !== undefined && isNameOf(data.worker, key) ? data : null
  } catch {
    return null
  }
}
