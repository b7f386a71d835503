import * as z from 'zod'
import { line } from '../players/line.ts'

/** The maximum number of terms of a class. */
export const TERMS_MAX = 100

/** A term of a class, from a time on: ISO 8601 in UTC with milliseconds, so that texts are in the order of times. It lasts until the next one begins. */
const term = z.strictObject({ name: line, from: z.iso.datetime({ precision: 3 }) })
export type Term = z.infer<typeof term>

/** The terms of a class, each with a time and a name of its own; in any order. */
export const terms = z
  .array(term)
  .max(TERMS_MAX)
  .refine(
    (all) => new Set(all.map(({ from }) => from)).size === all.length,
    'expected terms that begin at different times',
  )
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'expected terms with different names')

/** The term at a time, which is written as theirs are; null: the first one has not begun, or the class has none. */
export function termAt(all: readonly Term[], now: string): Term | null {
  const begun = all.filter(({ from }) => from <= now).toSorted((a, b) => (a.from < b.from ? -1 : 1))
  return begun.at(-1) ?? null
}
