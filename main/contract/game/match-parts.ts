import type { EntrantId, SeatId } from '../ids.ts'

/** The results of one seat in a part of a match, such as its whole trade in one kind of goods. */
export interface SeatPart {
  readonly seat: SeatId
  /** The part's name, of at most `PART_NAME_MAX` characters; null: all parts that were too many to be named. */
  readonly part: string | null
  /** The side on which the seat took part. */
  readonly role: string
  /** Whole numbers, by column. They are added up over matches, seats and parts. */
  readonly sums: Readonly<Record<string, number>>
}

/** The maximum number of characters of a part's name. */
export const PART_NAME_MAX = 80

/** A column of the table of parts. */
export type PartColumn = { readonly id: string } & (
  | { readonly kind: 'count' }
  /** A sum of amounts. `unit`: the number that stands for 1 of the form's `measure`. */
  | { readonly kind: 'amount'; readonly unit: number }
  /** Its sum divided by that of the column `per`. `unit`: the number that stands for 1. */
  | { readonly kind: 'mean'; readonly per: string; readonly unit: number }
)

/** The table of parts of a game's contests. */
export interface PartsForm {
  /** Such as "By good". */
  readonly title: string
  /** The word for a part, such as "good". */
  readonly partWord: string
  /** The unit of amounts, such as "energy". */
  readonly measure: string
  readonly columns: readonly PartColumn[]
  /** The column that says how much happened in a part: of too many parts, those with the most have rows of their own. */
  readonly amount: string
  /** The column by which rows are sorted, highest first. */
  readonly best: string
}

/** A row of the table of parts: who, in what, on which side, and a value for each column. */
export interface PartRow {
  readonly agent: EntrantId
  readonly part: string | null
  readonly role: string
  /** null: a mean of nothing. */
  readonly [column: string]: string | number | null
}

/**
 * The results of each entrant in the parts of the matches so far. It covers the matches up to the first one that is not
 * over, so that it does not depend on the order in which they ended.
 */
export interface PartsTable extends PartsForm {
  readonly rows: readonly PartRow[]
  /** The number of matches that it covers. */
  readonly matches: number
  /** True if it covers all matches that it can at present; otherwise there will be more when it is requested again. */
  readonly complete: boolean
}
