import type { Fault } from './faults.ts'
import type { Json } from './json.ts'

/**
 * What is left to a seat beyond the limits of its moves, for a whole match. All its posts share it: while several of them are
 * beyond their limits it runs as while one is.
 */
export interface TimeBank {
  /** What it began with. */
  readonly bankMs: number
  readonly strikes: number
  leftMs: number
  /** Strikes that it has had. */
  struck: number
}

/**
 * What a player reports. Times are ms on the match clock of the table that seated it. `body`: of which body it is; absent: of
 * the first.
 */
export type PlayerEvent =
  | {
      readonly type: 'answer'
      readonly to: number
      readonly value: Json
      readonly tookMs: number
      readonly body?: number
    }
  | { readonly type: 'said'; readonly value: Json; readonly body?: number }
  /**
   * `to`: the question that the fault answers. `gone`: nothing more will come from this body, or, where no body is named, from
   * any.
   */
  | {
      readonly type: 'fault'
      readonly to?: number
      readonly fault: Fault
      readonly gone: boolean
      readonly body?: number
    }
  /** An over-time that the time bank forgives: written down, while the question stays open and the referee is not told. */
  | { readonly type: 'strike'; readonly to: number; readonly fault: Fault; readonly body?: number }
  /** The player's process was killed from outside, by no act of its own: the match is played again from the start. */
  | { readonly type: 'interrupted'; readonly reason: string }
  | { readonly type: 'joined'; readonly body?: number }
  | { readonly type: 'left'; readonly body?: number }
  /** What the agent printed, for its own team only. Already capped. */
  | { readonly type: 'console'; readonly text: string; readonly body?: number }

/**
 * One seat as the table sees it, with all of its bodies. Every kind of player (script, program, network, human, in-process) is
 * behind this, and a referee cannot tell them apart.
 */
export interface Player {
  /** Resolves once the player can be asked. Never rejects: trouble is a `fault` event, emitted before it resolves. */
  ready(): Promise<void>
  /**
   * Puts question `question` to a body (absent: the first), whatever the others owe; its answer or fault comes as an event that
   * carries the same number. `bank`: what there is beyond `limitMs`; the player draws on it.
   */
  ask(question: number, message: Json, limitMs: number, bank?: TimeBank, body?: number): void
  /** Sends a message that wants no answer. */
  tell(message: Json, body?: number): void
  /** The answer to this question is no longer wanted; if it still comes it is reported with its number all the same. */
  withdraw(question: number): void
  /** The match is over for this player. Idempotent; afterwards nothing is emitted. */
  close(): void
}
