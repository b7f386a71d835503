import type { Ms } from '../contract/clock.ts'
import type { TimeBank } from '../contract/players/player.ts'

/** A question that has not been answered. */
export interface OpenQuestion {
  readonly number: number
  readonly body: number
  readonly limitMs: Ms
  readonly bank: TimeBank | undefined
  /** When its clock started, in ms of `performance.now()`: when it was sent, or when it was asked of an agent that was away. */
  begun: Ms | null
  /** Whether it was sent to the agent. */
  sent: boolean
  /** Whether it was answered, its time is up, or it was withdrawn. An answer that still comes is late. */
  over: boolean
  /** Stops its clock; null: it has not started. */
  stop: (() => void) | null
}
