import { z } from 'zod'
import { seatId } from './ids.ts'
import type { Json } from './json.ts'

/**
 * How a match ended for each seat, in seat order. Equal places share a rank; rank 1 is best (competition ranking). A game may add
 * fields about the match as a whole, which it alone reads; see `OutcomeCount`.
 */
export const outcome = z
  .object({
    places: z.array(
      z.strictObject({
        seat: seatId,
        rank: z.int().min(1),
        /** In the game’s own smallest unit, a whole number. Standings show it; ranks decide. */
        score: z.int(),
        /** Whether the seat was removed, walked away or crashed before the end. */
        removed: z.boolean(),
        /** Why, in one sentence for the student; only where `removed`. */
        reason: z.string().max(8_000).exactOptional(),
      }),
    ),
  })
  .catchall(z.json())
export type Outcome = z.infer<typeof outcome>

/** Why a seat was removed, as the rules of the game found it. */
export const removalRecord = z.strictObject({
  seat: seatId,
  /** Round, turn, day: what the game counts, from 1. */
  round: z.int().min(1),
  /** In the game's own words, short: what was broken. */
  rule: z.string().min(1).max(64),
  /** Place of the action to blame in what the seat said, from 0; null: no single one is. */
  action: z.int().min(0).nullable(),
  /** What the rule was held against: numbers, prices, whose challenge it was. */
  values: z.record(
    z.string(),
    z.custom<Json>((value) => value !== undefined, 'expected a value'),
  ),
  /** The same in one sentence for the student. */
  text: z.string().max(8_000),
})
export type RemovalRecord = z.infer<typeof removalRecord>
