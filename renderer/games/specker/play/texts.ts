import type { Challenge } from '../../../../grammars/challenges/index.ts'
import type { Json } from '../../../../main/contract/json.ts'
import { visible } from '../../../parts/visible.ts'

export type TextType = 'Predicate' | 'Instance' | 'Solution'

/** What a text of the challenge's language stands for, or where it goes wrong. */
export type Reading = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: string }

/** null: nothing has been written. One blank is something: a language may have an empty text. */
export function readText({ values }: Pick<Challenge, 'values'>, text: string, type: TextType): Reading | null {
  if (text === '') return null
  const read = values.parse(text, type)
  if (read.ok) return read
  const { at, message, hint } = read.problem
  const advice = hint === undefined ? '' : ` ${hint}`
  return { ok: false, error: visible(`Line ${at.line}, column ${at.column}: ${message}${advice}`) }
}

/** Ms for which a good solution is looked for. */
export const searchMs = 1_500
