import type { Challenge } from '../../../../grammars/challenges/index.ts'
import type { Json } from '../../../../main/contract/json.ts'
import { visible } from '../../../parts/lists/visible.ts'

export type TextType = 'Predicate' | 'Instance' | 'Solution'

/** The value of a text in the challenge's language, or the position of the error. */
export type Reading = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: string }

/** null: nothing entered. A single blank counts as text, since a language may have an empty text. */
export function readText({ values }: Pick<Challenge, 'values'>, text: string, type: TextType): Reading | null {
  if (text === '') return null
  const read = values.parse(text, type)
  if (read.ok) return read
  const { at, message, hint } = read.problem
  const advice = hint === undefined ? '' : ` ${hint}`
  return { ok: false, error: visible(`Line ${at.line}, column ${at.column}: ${message}${advice}`) }
}

/** Time to search for a good solution, in ms. */
export const searchMs = 1_500
