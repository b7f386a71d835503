import * as z from 'zod'
import { contestId, entrantId, sha256Hex } from '../ids.ts'

/** The signature of a receipt: Ed25519, 64 bytes as hex. */
const signature = z.string().regex(/^[0-9a-f]{128}$/, 'expected 128 lower-case hex digits')

/**
 * The statement of a receipt. Names of people are not in it. Its canonical text (RFC 8785) is the body of one line of the chain of all
 * hand-ins of a class.
 */
export const receiptBody = z.strictObject({
  k: z.literal('receipt'),
  /** Its number in the chain, from 1. */
  n: z.int().min(1),
  /** The fingerprint of the class's public key. */
  class: sha256Hex,
  /** The public name of the team at that time. */
  team: entrantId,
  agent: entrantId,
  /** The number of the version among those of the agent. */
  version: z.int().min(1),
  /** The hash of the bytes as they were handed in. */
  sha256: sha256Hex,
  /** The server's time when the bytes had arrived; lateness is judged by it. Never after `at`. */
  received: z.iso.datetime(),
  /** The server's time when the receipt was written, after the agent was built. It never goes back from one receipt to the next. */
  at: z.iso.datetime(),
  /** null: for no contest. */
  contest: contestId.nullable(),
  /** `late`: it counts and uses late days. `kept`: it was too late and does not count. */
  time: z.enum(['on-time', 'late', 'kept']),
  /** The head of the chain before it: `h` of the receipt before; empty for the first one. */
  previous: z.union([sha256Hex, z.literal('')]),
})
export type ReceiptBody = z.infer<typeof receiptBody>

/**
 * A receipt, as it stands in the chain and in a file: body, the chain's head after it, and the signature over that. The head is the
 * SHA-256 of the head before it, `-`, and the SHA-256 of the body's canonical text, as in histories.
 */
export const receipt = z.strictObject({
  b: receiptBody,
  h: sha256Hex,
  s: signature,
})
export type Receipt = z.infer<typeof receipt>

/** The head of the chain of receipts, which everybody in the class may see. */
export interface ReceiptsHead {
  /** The number of receipts. */
  readonly n: number
  /** Empty: there are none. */
  readonly head: string
  /** The time of the last receipt; null: there are none. */
  readonly at: string | null
}
