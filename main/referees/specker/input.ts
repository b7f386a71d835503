import { z } from 'zod'
import { fault, faultKind } from '../../contract/faults.ts'
import { seatId } from '../../contract/ids.ts'
import { bundle } from './messages.ts'

/** One turn of one player: what he answered, or the fault that he had instead. Our own faults are never an input. */
export const input = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('turn'), seat: seatId, actions: bundle.shape.actions }),
  z.strictObject({
    type: z.literal('fault'),
    seat: seatId,
    fault: z.strictObject({ kind: faultKind.exclude(['host']), text: fault.shape.text }),
  }),
])
export type Input = z.infer<typeof input>
