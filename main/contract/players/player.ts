import type { Fault } from '../faults.ts'
import type { Json } from '../json.ts'

/**
 * A seat's time beyond the limits of its moves for a whole match; all its posts share it. It is one clock: it does not
 * run faster while several posts exceed their limits.
 */
export interface TimeBank {
  /** The initial time in the bank. */
  readonly bankMs: number
  readonly strikes: number
  leftMs: number
  /** Strikes used so far. */
  struck: number
}

/**
 * An event that a player reports. Times are ms on the match clock of its table. `body`: the body that it comes from;
 * absent: the first.
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
   * `to`: the question that the fault answers. `gone`: nothing more will come from this body, or from any body if none
   * is given.
   */
  | {
      readonly type: 'fault'
      readonly to?: number
      readonly fault: Fault
      readonly gone: boolean
      readonly body?: number
    }
  /**
   * A time-out that is forgiven as a strike: it is recorded, the question stays open, and the referee is not notified.
   */
  | { readonly type: 'strike'; readonly to: number; readonly fault: Fault; readonly body?: number }
  /**
   * The player's process was killed from outside, not through its own fault: the match is played again from the start.
   */
  | { readonly type: 'interrupted'; readonly reason: string }
  | { readonly type: 'joined'; readonly body?: number }
  | { readonly type: 'left'; readonly body?: number }
  /** The agent's output, for its own team only, already limited in size. */
  | { readonly type: 'console'; readonly text: string; readonly body?: number }

/**
 * The player of one seat, with all of its bodies, as the table uses it. Every kind of player (script, program, network,
 * human, in-process) implements this interface, so a referee cannot distinguish them.
 */
export interface Player {
  /** Resolves when the player is ready. Never rejects: a problem is emitted as a `fault` event before it resolves. */
  ready(): Promise<void>
  /**
   * Sends a question to a body (absent: the first), regardless of open questions of other bodies. Its answer or fault
   * is an event with the same number. `bank`: time beyond `limitMs`, which the player deducts.
   */
  ask(question: number, message: Json, limitMs: number, bank?: TimeBank, body?: number): void
  /** Sends a message that expects no answer. */
  tell(message: Json, body?: number): void
  /** Withdraws a question. If its answer still arrives, it is reported with its number. */
  withdraw(question: number): void
  /** Ends the match for this player. Idempotent; afterwards nothing is emitted. */
  close(): void
}
