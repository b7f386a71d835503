import * as z from 'zod'
import { seatId } from '../../contract/ids.ts'

/** The events of a session, in order. */
export const input = z.discriminatedUnion('type', [
  /** The answer of the side on turn, any JSON; the rules interpret it. */
  z.strictObject({ type: z.literal('answer'), seat: seatId, value: z.json() }),
  /** A side walks away for any reason: an error, a fault, a person's decision. Possible at any time. */
  z.strictObject({ type: z.literal('abort'), seat: seatId, reason: z.string().max(8_000) }),
])
export type Input = z.infer<typeof input>
