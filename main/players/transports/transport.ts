import type { Fault } from '../../contract/faults.ts'
import type { Json } from '../../contract/json.ts'
import type { LikelyCauses, Meter } from '../time-limit.ts'
import type { Ms } from '../../contract/clock.ts'
import type { TimeBank } from '../../contract/players/player.ts'

/** The process was killed from outside, not by an act of the agent. */
export interface Interruption {
  readonly interrupted: string
}

/** Why a player has ended. */
export type End = Fault | Interruption

/** Carries the questions of a player to its agent and reports to the core what comes back. Here a person is an agent, too. */
export interface PlayerTransport {
  /** True if the agent can go on when the time of a question is up. If not, the time-out ends the player. */
  readonly outlivesTimeout: boolean
  /** Null or absent: no likely cause of a passed limit is known. */
  readonly timeoutCause?: LikelyCauses | null
  /** Starts the agent and calls `core.becomeReady` when it can be asked. Absent: the constructor starts it. */
  start?(): void
  /** Sends a question, now or later, and calls `core.begin` when its clock must start. */
  ask(question: OpenQuestion, message: Json): void
  tell(message: Json, body: number): void
  /** The time of the question is up, or it was withdrawn. If it was not `sent` yet, it must not be sent any more. */
  cancel(question: OpenQuestion): void
  /** Starts to count what the agent does. */
  meter(): Meter
  /** Calls back when everything that has arrived from the agent has been read. Absent: after one turn of the event loop. */
  settle?(then: () => void): void
  /** Since when it has been getting ready, in ms of `performance.now()`; null or absent: it is not. */
  readonly startingSince?: number | null
  /**
   * Ends the connection with the agent, and where it is ours, the agent. Called once. `fault`: the reason; absent: the match is
   * over for the player.
   */
  close(fault?: Fault): void
}

/** A question that has not been answered. */
export interface OpenQuestion {
  readonly number: number
  readonly body: number
  readonly limitMs: Ms
  readonly bank: TimeBank | undefined
  /** When its clock started, in ms of `performance.now()`: when it was sent, or when it was asked of an agent that was away. */
  begun: Ms | null
  /** True once it was sent to the agent. */
  sent: boolean
  /** True once it was answered, its time is up, or it was withdrawn. An answer that still comes is late. */
  over: boolean
  /** Stops its clock; null: it has not started. */
  stop: (() => void) | null
}
