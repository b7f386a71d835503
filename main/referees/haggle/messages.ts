import * as z from 'zod'
import type { SeatId } from '../../contract/ids.ts'

/** The constructor's arguments; the only answer is `{ value: null }`. */
export type StartMessage = {
  readonly type: 'start'
  /** 0: you have the first turn. */
  readonly me: SeatId
  /** The number of objects of each type. */
  readonly counts: readonly number[]
  /** The value of one object of each type to you, in dollars. */
  readonly values: readonly number[]
  readonly maxRounds: number
}

/** It is your turn. */
export type TurnMessage = {
  readonly type: 'turn'
  /** The objects that the partner leaves you, by type; null: no offer was made yet. */
  readonly offer: readonly number[] | null
}

/**
 * The result of a turn. `value`: what the agent returned, after conversion to JSON and back; `odd`: what JSON cannot write of it, in
 * words. Otherwise: it threw, or it
 * returned something that cannot be written as JSON; both as text.
 */
export const answer = z.union([
  z.strictObject({ value: z.json(), odd: z.string().max(200).optional() }),
  z.strictObject({ threw: z.string().max(4_000) }),
  z.strictObject({ unwritable: z.string().max(4_000) }),
])
export type Answer = z.infer<typeof answer>
