import { exchangeOf, type Exchanging } from '../../../../grammars/challenges/formats/index.ts'
import type { Json } from '../../../../main/contract/json.ts'
import { visible } from '../../../parts/lists/visible.ts'

export type TextType = 'Predicate' | 'Instance' | 'Solution'

/** The value of a text in the challenge's language, or the position of the error. */
export type Reading = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: string }

/**
 * null: nothing entered. A single blank counts as text, since a language may have an empty text. Raw material may also be in the
 * challenge's other format.
 */
export function readText(challenge: Exchanging, text: string, type: TextType): Reading | null {
  if (text === '') return null
  const read = challenge.values.parse(text, type)
  if (read.ok) return read
  const other = type === 'Instance' ? exchangeOf(challenge)?.read(text) : undefined
  if (other?.ok === true) return { ok: true, value: other.material.instance }
  const { at, message, hint } = read.problem
  const advice = hint === undefined ? '' : ` ${hint}`
  return { ok: false, error: visible(`Line ${at.line}, column ${at.column}: ${message}${advice}`) }
}

/** Time to search for a good solution, in ms. */
export const searchMs = 1_500
