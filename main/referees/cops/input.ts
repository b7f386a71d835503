import * as z from 'zod'
import { faultKind } from '../../contract/faults.ts'
import { seatId } from '../../contract/ids.ts'
import { answer } from './answer.ts'

/** The events of a match, in order: each brain that a step waits for says something, or fails to. */
export const input = z.discriminatedUnion('type', [
  /** A brain's message as it came; the rules say whether it is legal. */
  z.strictObject({ type: z.literal('said'), seat: seatId, answer }),
  /** There was no message that can be read. `gone`: nothing more will come from it. */
  z.strictObject({
    type: z.literal('fault'),
    seat: seatId,
    fault: z.strictObject({ kind: faultKind, text: z.string().max(4_000) }),
    gone: z.boolean(),
  }),
])
export type Input = z.infer<typeof input>
