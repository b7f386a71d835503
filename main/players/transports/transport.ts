import type { Fault } from '../../contract/faults.ts'
import type { Json } from '../../contract/json.ts'
import type { OpenQuestion } from '../open-question.ts'
import type { Effort } from '../time-limit.ts'

/** It was killed from outside, by no act of its own. */
export interface Interruption {
  readonly interrupted: string
}

/** How a player came to its end. */
export type End = Fault | Interruption

/** How the questions of a player reach its agent: in what follows, "the agent" is whoever is at the other end. */
export interface Transport {
  /** Whether the agent goes on when the time of a question is up. What cannot be interrupted is ended. */
  readonly outlivesTimeout: boolean
  /** Brings the agent up; `core.becomeReady` says that it can be asked. Absent: that has begun by itself. */
  start?(): void
  /** Hands a question on, now or later, and calls `core.begin` when its clock is to start. */
  ask(question: OpenQuestion, message: Json): void
  tell(message: Json, body: number): void
  /** The time of the question is up, or it was withdrawn. One that was not `sent` is not to be sent any more. */
  over(question: OpenQuestion): void
  /** What the agent has done since `core.busySince`; null: unknown. */
  effort(): Effort | null
  /**
   * Lets the agent go. Called once; what comes from it afterwards is nothing to the core. `fault`: what it is sent away for;
   * absent: the match is over.
   */
  close(fault?: Fault): void
}
