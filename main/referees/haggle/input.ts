import { z } from 'zod'
import { seatId } from '../../contract/ids.ts'

/** What happens in a session, in order. */
export const input = z.discriminatedUnion('type', [
  /** The one whose turn it is has answered: any JSON. The rules say what it means. */
  z.strictObject({ type: z.literal('answer'), seat: seatId, value: z.json() }),
  /** A side walks away, whatever made it: an error, a fault, a person's wish. Possible at any time. */
  z.strictObject({ type: z.literal('abort'), seat: seatId, reason: z.string().max(8_000) }),
])
export type Input = z.infer<typeof input>
