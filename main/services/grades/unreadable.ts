import { ExpectedError } from '../../contract/expected-error.ts'
import type { Unreadable } from '../../contract/grades/gradebook.ts'

/** Everything that grades are computed without, as parts of a sentence: "the histories of cup-1". */
export const lostParts = ({ contests, cases }: Unreadable): readonly string[] => [
  ...contests.map((id) => `the histories of ${id}`),
  ...cases.map((id) => `the record of ${id}`),
]

/**
 * Throws ExpectedError 'verdict' if something cannot be read: nobody can say which grades would be wrong. `refused`: the beginning of the sentence,
 * as "Nothing was released".
 */
export function requireReadable(unreadable: Unreadable, refused: string): void {
  const lost = lostParts(unreadable)
  if (lost.length === 0) return
  throw new ExpectedError(
    'verdict',
    'grades-incomplete',
    `${refused}, because grades would be computed without ${lost.join(', ')}, which cannot be read.`,
  )
}
