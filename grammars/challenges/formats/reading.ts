import type { Json } from '../../json.ts'
import type { Exchange, Exported, ImportedMaterial } from './format.ts'
import { Unreadable } from './words.ts'

/** An exchange whose reader throws Unreadable. */
export function readingWith(parts: {
  readonly formats: readonly string[]
  read(text: string): ImportedMaterial
  write(instance: Json, format?: string): Exported
}): Exchange {
  return {
    ...parts,
    read(text) {
      try {
        return { ok: true, material: parts.read(text) }
      } catch (error) {
        if (error instanceof Unreadable) return { ok: false, problem: error.problem }
        throw error
      }
    },
  }
}
