import type { SeatId } from '../ids.ts'

/**
 * An event of a match as lists and charts of the whole match need it: only numbers, so that a match of a million events
 * can be shown like one of ten.
 */
export interface Outline {
  /** The round, turn or day of the game, from 1. */
  readonly round: number
  /** The seat concerned; null: none, such as for the end of trading. */
  readonly seat: SeatId | null
  /** Number of lines that the event needs in a list, at least 1. */
  readonly lines: number
  readonly marks: readonly OutlineMark[]
}

/** How a game's matches are outlined. */
export interface Outliner<S, I> {
  /** The level of each seat, such as its account or score. */
  levels(state: S): readonly number[]
  /** Called with the state before an input is applied; the returned function is called after it. */
  input(state: S): (input: I) => Outline
  /**
   * Gains and losses of seats by an input, such as a turn, one a seat, where they decide something. Called with the state before the input is
   * applied; the returned function is called after it. Absent: the game has no swings.
   */
  swings?(state: S, input: I): () => readonly OutlineSwing[]
}

/** A gain or a loss of a seat by an event, such as by all sales that a turn settles. Viewers show the largest of a match. */
export interface OutlineSwing {
  readonly seat: SeatId
  /** In the unit of the levels; negative: a loss. */
  readonly amount: number
  /** The line of its event that describes it, or most of it, from 0; absent: the first. */
  readonly line?: number
}

/** The outline of an event with its swings. */
export interface OutlineWithSwings extends Outline {
  readonly swings: readonly OutlineSwing[]
}

/** A problem to mark in lists and charts. */
export interface OutlineMark {
  readonly seat: SeatId
  readonly kind: 'removed' | 'fault' | 'voided'
  /** The line of its event that describes it, from 0; absent: the first. */
  readonly line?: number
}
