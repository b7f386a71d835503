import { challengeThings } from '../../grammars/language-services/challenge-things.ts'
import { spaceEdits } from '../../grammars/language-services/edits.ts'
import type { Edit } from '../../grammars/language-services/edits.ts'
import { formatChallenge } from '../../grammars/language-services/format.ts'
import { definitionsAt } from '../../grammars/language-services/occurrences.ts'
import { renamable, rename } from '../../grammars/language-services/rename.ts'

/** A question about the text in the editor. `at`: an offset. */
export type Question =
  | { readonly about: 'definition' | 'name'; readonly at: number }
  | { readonly about: 'rename'; readonly at: number; readonly to: string }
  | { readonly about: 'format' }

/** `place`: where the definition begins, or the name that can be changed. `refused`: why it cannot be done, in a sentence. */
export type Advice =
  | { readonly kind: 'place'; readonly from: number; readonly to: number }
  | { readonly kind: 'edits'; readonly edits: readonly Edit[] }
  | { readonly kind: 'refused'; readonly message: string }

/** Answers a question about a challenge's text. */
export function advise(source: string, question: Question): Advice {
  switch (question.about) {
    case 'definition': {
      const [first] = definitionsAt(challengeThings(source), question.at)
      return first === undefined
        ? refused('Nothing here is defined in this file.')
        : { kind: 'place', from: first.from, to: first.to }
    }
    case 'name': {
      const found = renamable(challengeThings(source), question.at)
      return found.ok ? { kind: 'place', from: found.from, to: found.to } : refused(found.error)
    }
    case 'rename': {
      const renamed = rename(
        () => source,
        (read) => challengeThings(read(null) ?? ''),
        question.at,
        question.to,
      )
      return renamed.ok ? { kind: 'edits', edits: renamed.edits } : refused(renamed.error)
    }
    case 'format': {
      const made = formatChallenge(source)
      return made === null
        ? refused('A file with mistakes in its grammar keeps its layout.')
        : { kind: 'edits', edits: spaceEdits(source, made) }
    }
  }
}

function refused(message: string): Advice {
  return { kind: 'refused', message }
}
