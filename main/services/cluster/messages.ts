import { createHmac, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { entrantId, matchNumber, seatId, sha256Hex } from '../../contract/ids.ts'
import type { MatchJob } from '../../worker/protocol.ts'

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
  job,
})
export interface Order extends Omit<z.infer<typeof order>, 'job'> {
  readonly job: MatchJob
}

/** What a worker says of a run. Whatever else there is to know of it stands in its lines, which are checked. */
const result = z.strictObject({
  run: z.int().min(1),
  worker: z.string().min(1).max(200),
  /** The lines of its history; null: the match was interrupted, for this reason. */
  lines: z.string().nullable(),
  reason: z.string().max(4_000).exactOptional(),
  seat: seatId.exactOptional(),
})
export type RunResult = z.infer<typeof result>

/** A message with a proof that its writer knows the token. */
const sealed = z.strictObject({ body: z.string(), mac: z.string().max(64) })

const macOf = (token: string, body: string): string => createHmac('sha256', token).update(body).digest('hex')

function seal(token: string, body: string): string {
  return JSON.stringify({ body, mac: macOf(token, body) })
}

/** The body of a sealed message; null: it is none, or not by somebody who knows the token. */
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

/** Packs a result, whose lines are compressed. `session` is covered by the seal. */
export async function sealResult(token: string, session: string, given: RunResult): Promise<string> {
  const packed = await promisify(gzip)(JSON.stringify(given))
  return seal(token, `${session} ${packed.toString('base64')}`)
}

/** null: the text is not a result of this session by a worker with this token, or too large. */
export async function openResult(token: string, session: string, text: string): Promise<RunResult | null> {
  const body = unseal(token, text)
  if (body === null || !body.startsWith(`${session} `)) return null
  try {
    const packed = Buffer.from(body.slice(session.length + 1), 'base64')
    const unpacked = await promisify(gunzip)(packed, { maxOutputLength: HISTORY_MAX })
    const read = result.safeParse(parsed(unpacked.toString('utf8')))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
