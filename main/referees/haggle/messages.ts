import { z } from 'zod'
import type { SeatId } from '../../contract/ids.ts'

/** The constructor's arguments; asks for nothing but `{ value: null }`. */
export type StartMessage = {
  readonly type: 'start'
  /** 0: the first turn is yours. */
  readonly me: SeatId
  /** Objects of each type. */
  readonly counts: readonly number[]
  /** What one object of each type is worth to you, in dollars. */
  readonly values: readonly number[]
  readonly maxRounds: number
}

/** It is your turn. */
export type TurnMessage = {
  readonly type: 'turn'
  /** What the partner leaves you, by type. null: nothing has been offered yet. */
  readonly offer: readonly number[] | null
}

/**
 * What came of a turn. `value`: what the agent returned, as its JSON text reads back. The others: it threw, or returned
 * what no JSON can hold; both in words.
 */
export const answer = z.union([
  z.strictObject({ value: z.json() }),
  z.strictObject({ threw: z.string().max(4_000) }),
  z.strictObject({ unwritable: z.string().max(4_000) }),
])
export type Answer = z.infer<typeof answer>
