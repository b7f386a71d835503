import * as z from 'zod'
import { seatId } from '../ids.ts'
import type { Json } from '../json.ts'

/**
 * The result of a match for each seat, in seat order. Equal places share a rank; rank 1 is best (competition ranking).
 * A game may add fields about the whole match that only the game reads; see `OutcomeCount`.
 */
export const outcome = z
  .object({
    places: z.array(
      z.strictObject({
        seat: seatId,
        rank: z.int().min(1),
        /** A whole number of the game's smallest unit. Standings show it; ranks decide. */
        score: z.int(),
        /** True if the seat was removed, left or crashed before the end. */
        removed: z.boolean(),
        /** The reason in one sentence for the student; only if `removed`. */
        reason: z.string().max(8_000).exactOptional(),
      }),
    ),
  })
  .catchall(z.json())
export type Outcome = z.infer<typeof outcome>

/** The index of the place of the only winner; -1: several share the first place, or all were removed. */
export function winnerOf({
  places,
}: {
  readonly places: readonly Pick<Outcome['places'][number], 'rank' | 'removed'>[]
}): number {
  const isFirst = ({ rank, removed }: (typeof places)[number]): boolean => rank === 1 && !removed
  const first = places.findIndex(isFirst)
  return first === places.findLastIndex(isFirst) ? first : -1
}

/** Why the game's rules removed a seat. */
export const removalRecord = z.strictObject({
  seat: seatId,
  /** The round, turn or day of the game, from 1. */
  round: z.int().min(1),
  /** A short name of the violated rule, in the game's terms. */
  rule: z.string().min(1).max(64),
  /** The index of the offending action in the seat's answer, from 0; null: no single action. */
  action: z.int().min(0).nullable(),
  /** The values that the rule was checked with: numbers, prices, the owner of a challenge. */
  values: z.record(
    z.string(),
    z.custom<Json>((value) => value !== undefined, 'expected a value'),
  ),
  /** The same in one sentence for the student. */
  text: z.string().max(8_000),
})
export type RemovalRecord = z.infer<typeof removalRecord>
