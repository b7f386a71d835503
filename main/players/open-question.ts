import type { Ms } from '../contract/clock.ts'
import type { TimeBank } from '../contract/player.ts'

/** A question that the agent has been asked and has not answered. */
export interface OpenQuestion {
  readonly number: number
  readonly body: number
  readonly limitMs: Ms
  readonly bank: TimeBank | undefined
  /** When its clock began, in ms of `performance.now()`: as it was written, or as it was asked where the agent was away. */
  begun: Ms | null
  /** It has been handed to the agent. */
  sent: boolean
  /** It is answered, its time is up, or it was withdrawn. An answer that still comes is late. */
  over: boolean
  /** Stops its clock; null: that has not been started. */
  stop: (() => void) | null
}
