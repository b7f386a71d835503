import { z } from 'zod'
import { contestId, gameId, sha256Hex, type ContestId, type EntrantId, type GameId, type SeatId } from './ids.ts'
import type { Sha256 } from './ids.ts'
import type { Json } from './json.ts'
import type { Outcome } from './outcome.ts'

/** An agent that a person can play against. `shipped`: it comes with Tartaglia and need not have been handed in. */
export interface Opponent {
  readonly name: EntrantId
  readonly agent: Sha256
  readonly shipped: boolean
}

/** A match that a person wants to play. */
export const playWish = z.strictObject({
  game: gameId,
  /** The game's own settings; what is left out has its default. */
  config: z.json().default({}),
  /** In seat order, the person left out. */
  opponents: z.array(sha256Hex).min(1).max(99),
  /** Where among them the person sits, from 0. */
  seat: z.int().min(0).max(99),
  /** For each move of everybody, in ms. */
  moveMs: z.int().min(1_000).max(86_400_000),
  /** Any text; empty: chance decides what the match is about. */
  seed: z.string().max(200).default(''),
})
export type PlayWish = z.output<typeof playWish>

/** What a person says. `question`: which one it answers; null: it is said unasked. */
export const playAnswer = z.strictObject({
  contest: contestId,
  question: z.int().min(1).nullable(),
  value: z.json(),
})

/** Something that was said: by the table, which asks and tells, or by the person. In the game's own messages and answers. */
export interface PlayLine {
  readonly from: 'table' | 'person'
  readonly value: Json
}

/** A match in which a person plays at the window, as the person may see it. */
export interface Play {
  /** The contest that has this one match. */
  readonly contest: ContestId
  readonly game: GameId
  /** The person's. */
  readonly seat: SeatId
  /** By seat. */
  readonly names: readonly EntrantId[]
  /** In order. */
  readonly dialogue: readonly PlayLine[]
  /** What the person owes an answer to, and the ms that were left for it when this was told; null: nothing. */
  readonly question: { readonly number: number; readonly msLeft: number } | null
  /** null: it goes on. `stopped`: it came to nothing, and why. */
  readonly result: { readonly outcome: Outcome } | { readonly stopped: string } | null
}
