import * as z from 'zod'
import { faultKind } from '../../contract/faults.ts'
import { seatId } from '../../contract/ids.ts'
import { move } from './messages.ts'

/** The events of a match, in order. Turns of zombies are nobody's input: the rules pass for them. */
export const input = z.discriminatedUnion('type', [
  /** A punter is ready. `futures`: as it gave them; the rules say which count. */
  z.strictObject({ type: z.literal('ready'), seat: seatId, futures: z.array(z.json()).max(100_000) }),
  /** The one whose turn it is moves, as it wrote it; the rules say whether it is a pass. */
  z.strictObject({ type: z.literal('move'), seat: seatId, move }),
  /** There was no move. `gone`: nothing more will come from it. `ready` false: instead of getting ready. */
  z.strictObject({
    type: z.literal('fault'),
    seat: seatId,
    fault: z.strictObject({ kind: faultKind, text: z.string().max(4_000) }),
    gone: z.boolean(),
    ready: z.literal(false).exactOptional(),
  }),
])
export type Input = z.infer<typeof input>
