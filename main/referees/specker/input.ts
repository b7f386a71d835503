import * as z from 'zod'
import { fault, faultKind } from '../../contract/faults.ts'
import { seatId } from '../../contract/ids.ts'
import { bundle } from './messages.ts'

/** One turn of one player: its answer, or the fault that replaced it. Faults of the host are never inputs. */
export const input = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('turn'),
    seat: seatId,
    actions: bundle.shape.actions,
    /** Asynchronous: the number of public events that the player had been told of. */
    seen: z.int().min(0).exactOptional(),
  }),
  z.strictObject({
    type: z.literal('fault'),
    seat: seatId,
    fault: z.strictObject({ kind: faultKind.exclude(['host']), text: fault.shape.text }),
    /** The player did not get ready for the match; precedes all other inputs. */
    ready: z.literal(false).exactOptional(),
  }),
  /** Asynchronous: the time for trading is over. */
  z.strictObject({ type: z.literal('close') }),
  /** Asynchronous: the player that must act next for this challenge has not done so within its time slot. */
  z.strictObject({ type: z.literal('overdue'), challenge: z.int().min(0) }),
])
export type Input = z.infer<typeof input>
