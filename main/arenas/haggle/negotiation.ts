import type { Json } from '../../contract/json.ts'
import type { Side } from '../../referees/haggle/frames.ts'

/** Objects by type. */
type Share = readonly number[]

/** One session of a game for two, as far as an arena knows it. Whoever opens the arena brings the rules. */
export interface Negotiation {
  readonly counts: Share
  /** What one object of each type is worth, by side. */
  readonly values: readonly [Share, Share]
  readonly maxRounds: number
  /** Whose answer is awaited; null: the session is over. */
  turn(): Side | null
  /** The answer of the side on turn: what it demands for itself; whatever JavaScript takes for false accepts. */
  answer(side: Side, demand: Json): void
  /** A side walks away, whatever made it. */
  walk(side: Side, reason: string): void
  /** Who would get what by the demand made last, by side; null: nothing has been demanded yet. */
  shares(): readonly [Share, Share] | null
  /** null: the session goes on. */
  ending(): NegotiationEnding | null
}

export type NegotiationEnding =
  /** Dollars by side; `by`: who accepted. */
  | { readonly type: 'agreed'; readonly by: Side; readonly scores: readonly [number, number] }
  | { readonly type: 'not agreed'; readonly scores: readonly [number, number] }
  | { readonly type: 'abort'; readonly side: Side; readonly reason: string }
