import { z } from 'zod'
import { seatId } from './ids.ts'

/** How a match ended for each seat, in seat order. Equal places share a rank; rank 1 is best (competition ranking). */
export const outcome = z.strictObject({
  places: z.array(
    z.strictObject({
      seat: seatId,
      rank: z.int().min(1),
      /** In the game's own smallest unit (Specker: 10^-9 energy). Standings show it; ranks decide. */
      score: z.int(),
      /** Whether the seat was removed, walked away or crashed before the end. */
      removed: z.boolean(),
      /** Why, in one sentence for the student; only where `removed`. */
      reason: z.string().max(8_000).exactOptional(),
    }),
  ),
  /** Whether the match ended in an agreement; only in games that are about one. */
  agreed: z.boolean().exactOptional(),
})
export type Outcome = z.infer<typeof outcome>
