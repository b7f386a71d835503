import type { Rooms } from '../rooms.ts'
import type { HandlersOf } from './handlers-of.ts'

/** The procedures of the table of the term and of grades. */
export function gradeHandlers({ term, gradebook }: Rooms): HandlersOf<'grades'> {
  return {
    'grades.term': ({ game }) => term.table(game),
    'grades.book': () => gradebook.book(),
    'grades.preview': ({ scheme }) => gradebook.preview(scheme),
    async 'grades.setScheme'({ scheme }) {
      await gradebook.setScheme(scheme)
      return null
    },
    async 'grades.setManual'({ person, manual }) {
      await gradebook.setManual(person, manual)
      return null
    },
    async 'grades.release'() {
      await gradebook.release()
      return null
    },
    'grades.fill': (wish) => gradebook.fill(wish),
    'grades.mine': async (_, { person }) => (person === null ? null : gradebook.mine(person)),
  }
}
