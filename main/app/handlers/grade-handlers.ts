import type { Rooms } from '../rooms.ts'
import type { HandlersOf } from './handlers-of.ts'

/** The procedures of the table of the term and of grades. */
export function gradeHandlers({ term }: Rooms): HandlersOf<'grades'> {
  return { 'grades.term': ({ game }) => term.table(game) }
}
