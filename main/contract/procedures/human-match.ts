import * as z from 'zod'
import { contestId, gameId, sha256Hex, type ContestId, type EntrantId, type GameId, type SeatId } from '../ids.ts'
import type { Sha256 } from '../ids.ts'
import type { Json } from '../json.ts'
import type { Outcome } from '../game/outcome.ts'

/** An agent that a person can play against. `shipped`: it ships with Tartaglia and need not be handed in. */
export interface Opponent {
  readonly name: EntrantId
  readonly agent: Sha256
  readonly shipped: boolean
  /** True if it played its trial match to the end; null: not known. */
  readonly works: boolean | null
}

/** A request for a match with a person. */
export const humanMatchRequest = z.strictObject({
  game: gameId,
  /** The game's own settings; those left out have their defaults. */
  config: z.json().default({}),
  /** In seat order, without the person. */
  opponents: z.array(sha256Hex).min(1).max(99),
  /** The person's seat, from 0. */
  seat: z.int().min(0).max(99),
  /** Time limit for each move of all players, in ms. */
  moveMs: z.int().min(1_000).max(86_400_000),
  /** Any text; empty: a random seed. */
  seed: z.string().max(200).default(''),
})
export type PlayWish = z.output<typeof humanMatchRequest>

/** A person's answer. `question`: the question that it answers; null: it is unsolicited. */
export const playAnswer = z.strictObject({
  contest: contestId,
  question: z.int().min(1).nullable(),
  value: z.json(),
})

/** One line of the dialogue between the table and the person: a message or an answer of the game. */
export interface PlayLine {
  readonly from: 'table' | 'person'
  readonly value: Json
  /** The body of the person's seat; absent: the first. */
  readonly body?: number
}

/** A question that the person has not answered. */
export interface OpenPlayQuestion {
  readonly number: number
  /** The seat's body, from 0. */
  readonly body: number
  /** As it was when this value was sent. */
  readonly msLeft: number
}

/** A match that a person plays in the window, from that person's point of view. */
export interface Play {
  /** The contest that consists of this match. */
  readonly contest: ContestId
  readonly game: GameId
  /** The person's seat. */
  readonly seat: SeatId
  /** By seat. */
  readonly names: readonly EntrantId[]
  /** In order; of a seat with several bodies only how they started and their newest lines. */
  readonly dialogue: readonly PlayLine[]
  /** The open question that was asked first; null: none. */
  readonly question: Pick<OpenPlayQuestion, 'number' | 'msLeft'> | null
  /** All open questions: one for each body at most. */
  readonly questions: readonly OpenPlayQuestion[]
  /** null: the match is running. `stopped`: why it ended without an outcome. */
  readonly result: { readonly outcome: Outcome } | { readonly stopped: string } | null
}
