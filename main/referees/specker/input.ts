import { z } from 'zod'
import { fault, faultKind } from '../../contract/faults.ts'
import { seatId } from '../../contract/ids.ts'
import { bundle } from './messages.ts'

/** One turn of one player: what he answered, or the fault that he had instead. Our own faults are never an input. */
export const input = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('turn'),
    seat: seatId,
    actions: bundle.shape.actions,
    /** Asynchronous: how many public events there were when he was last told of them. */
    seen: z.int().min(0).exactOptional(),
  }),
  z.strictObject({
    type: z.literal('fault'),
    seat: seatId,
    fault: z.strictObject({ kind: faultKind.exclude(['host']), text: fault.shape.text }),
    /** He did not get ready for the match; before all other inputs. */
    ready: z.literal(false).exactOptional(),
  }),
  /** Asynchronous: the time for trading is over. */
  z.strictObject({ type: z.literal('close') }),
  /** Asynchronous: whoever must act next for this challenge has not done so within his time slot. */
  z.strictObject({ type: z.literal('overdue'), challenge: z.int().min(0) }),
])
export type Input = z.infer<typeof input>
