import type { Fault } from '../../contract/faults.ts'
import type { Json } from '../../contract/json.ts'
import type { OpenQuestion } from '../open-question.ts'
import type { Meter } from '../time-limit.ts'

/** The process was killed from outside, not by an act of the agent. */
export interface Interruption {
  readonly interrupted: string
}

/** Why a player has ended. */
export type End = Fault | Interruption

/** Carries the questions of a player to its agent and reports to the core what comes back. Here a person is an agent, too. */
export interface Transport {
  /** Whether the agent can go on when the time of a question is up. If not, the time-out ends the player. */
  readonly outlivesTimeout: boolean
  /** Starts the agent and calls `core.becomeReady` when it can be asked. Absent: the constructor starts it. */
  start?(): void
  /** Sends a question, now or later, and calls `core.begin` when its clock must start. */
  ask(question: OpenQuestion, message: Json): void
  tell(message: Json, body: number): void
  /** The time of the question is up, or it was withdrawn. If it was not `sent` yet, it must not be sent any more. */
  cancel(question: OpenQuestion): void
  /** Starts to count what the agent does. */
  meter(): Meter
  /** Since when it has been getting ready, in ms of `performance.now()`; null or absent: it is not. */
  readonly startingSince?: number | null
  /**
   * Ends the connection with the agent, and where it is ours, the agent. Called once. `fault`: the reason; absent: the match is
   * over for the player.
   */
  close(fault?: Fault): void
}
