/** The maximum length of a scheme, in characters. */
export const SCHEME_CHARACTERS_MAX = 20_000

/** The kinds of problems of a scheme besides those of formulas. */
export type SchemeCode =
  | 'contest-unknown'
  | 'contest-large'
  | 'argument-count'
  | 'argument-kind'
  | 'weights-sum'
  | 'thresholds-order'
  | 'form-unknown'
  | 'name-twice'
  | 'grade-missing'
  | 'text-long'
  | 'scheme-large'

/** A problem of a scheme, in one sentence. Line and column are from 1. `code`: one of `SchemeCode` or of formulas. */
export interface SchemeProblem {
  readonly line: number
  readonly column: number
  readonly code: string
  readonly message: string
}

/** A band of a scheme. `written`: the offsets of its number in the text; null: it is `else`. */
export interface Band {
  /** null: `else`. */
  readonly from: number | null
  readonly label: string
  readonly written: { readonly start: number; readonly end: number } | null
}

/** The label of the first band that a value reaches; `bands` in descending order. null: it is below all of them. */
export function bandOf(value: number, bands: readonly Band[]): string | null {
  return bands.find(({ from }) => value >= (from ?? -Infinity))?.label ?? null
}
