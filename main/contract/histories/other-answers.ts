import * as z from 'zod'
import type { IsolationTier } from '../limits.ts'
import type { Fault } from '../faults.ts'
import { seatId, sha256Hex } from '../ids.ts'
import type { MatchEvent } from '../procedures/match-answers.ts'
import { matchSource } from './match-source.ts'

/** A request: what would another agent have answered in place of a seat of a finished match? */
export const otherAnswerWish = z.strictObject({
  /** Chosen by the caller: names the request in its progress and when it is stopped. */
  request: z.uuid(),
  source: matchSource,
  /** The number of events that the viewer shows. */
  position: z.int().min(0),
  seat: seatId,
  /** The package of a version of the class's agents, or of an agent that ships. */
  agent: sha256Hex,
})
export type OtherAnswerWish = z.output<typeof otherAnswerWish>

/** Maximum characters of a message or an answer that is quoted. */
export const QUOTED_CHARACTERS_MAX = 2_000

/** A message that asked a body for the answer in question, with the answers: the beginnings of JSON texts, or faults in words. */
export interface AskedMessage {
  readonly body: number
  readonly message: string
  /** null: none came. */
  readonly recorded: string | null
  readonly given: string | null
}

/**
 * The answer of another agent, which received every message that the seat had received until then. Its earlier answers
 * had no effect: the match went on as recorded. Events are given by their index in the match.
 */
export interface OtherAnswer {
  /** The event that records the answer in question: the one shown, or the seat's next, or else its last one. */
  readonly event: number
  /** Moves that the agent was asked for, with this one. */
  readonly moves: number
  readonly asked: readonly AskedMessage[]
  /** The tier in which the agent ran. */
  readonly isolation: IsolationTier
  /** True if it answered this question as recorded. */
  readonly same: boolean
  /** The first event whose answer it would have given differently; null: none up to this one. */
  readonly differs: number | null
  /** Why it gave no answer; null: it gave one. `event`: the one whose answer was asked for when it failed. */
  readonly failed: { readonly event: number; readonly fault: Fault } | null
  /**
   * The events that would have followed `first` events of the match, up to the next wait for an answer; empty: the agent had
   * failed before. `shown`: the indices in this list of those that the other answer has changed.
   */
  readonly first: number
  readonly events: readonly MatchEvent[]
  readonly shown: readonly number[]
  /** The last lines that it printed. */
  readonly console: readonly string[]
}
