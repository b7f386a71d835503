import type { IToken } from 'chevrotain'
import type { ProblemCode } from '../../problem-codes.ts'
import { behind } from './repair.ts'
import type { Repair } from './repair.ts'

/** The place at which a parser stopped. */
export interface Stop {
  readonly source: string
  readonly tokens: readonly IToken[]
  /** The index of the token that does not fit; the number of tokens at the end of the text. */
  readonly i: number
  /** The innermost rule of the grammar. */
  readonly rule: string
  /** The label of the token that is needed there; null: there are several. */
  readonly wanted: string | null
}

/** A replacement of the tokens `first` to `last`. */
export function replaced(
  { tokens }: Stop,
  first: number,
  last: number,
  text: string,
  found: { readonly code: ProblemCode; readonly message: string; readonly hint: string; readonly certain?: boolean },
): Repair {
  const from = tokens[first]!.startOffset
  return { from, to: behind(tokens[last]!), text, certain: true, ...found }
}

/** An insertion behind the token before the one at `i`. */
export function inserted(
  { tokens }: Stop,
  i: number,
  text: string,
  found: { readonly code: ProblemCode; readonly message: string; readonly hint: string; readonly certain?: boolean },
): Repair {
  const from = behind(tokens[i - 1]!)
  return { from, to: from, text, certain: true, ...found }
}

export function shown(token: IToken | undefined): string {
  return token === undefined ? 'the end of the text' : `"${token.image.slice(0, 40)}"`
}
