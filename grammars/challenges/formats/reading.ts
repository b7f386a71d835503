import type { Json } from '../../json.ts'
import type { BestKnown, Exchange, Exported, ImportedMaterial } from './format.ts'
import type { Pattern } from './fit.ts'
import { Unreadable } from './words.ts'

/** An exchange whose reader throws Unreadable. */
export function readingWith(parts: {
  readonly formats: readonly string[]
  readonly instance: Pattern
  read(text: string, file: string): ImportedMaterial
  write(instance: Json, format?: string): Exported
  recognized?(instance: Json): BestKnown | null
}): Exchange {
  return {
    recognized: () => null,
    ...parts,
    read(text, file = '') {
      try {
        return { ok: true, material: parts.read(text, file) }
      } catch (error) {
        if (error instanceof Unreadable) return { ok: false, problem: error.problem }
        throw error
      }
    },
  }
}
