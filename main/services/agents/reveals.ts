import { revealsIn } from '../../administrator/classroom/revealed.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'

/** `revealsIn` of a class, computed once for each of its contents. */
export function openReveals(home: Pick<ClassFolder, 'content'>): { of(): ReturnType<typeof revealsIn> } {
  let known: { readonly content: ClassFolder['content']; readonly reveals: ReturnType<typeof revealsIn> } | null = null
  return {
    of() {
      const { content } = home
      // Every change makes a new content.
      if (known?.content !== content) known = { content, reveals: revealsIn(content) }
      return known.reveals
    },
  }
}
