import type { Rooms } from '../rooms.ts'
import type { HandlersOf } from './handlers-of.ts'

/** The procedures of the table of the term and of grades. */
export function gradeHandlers({ term, gradebook, signals }: Rooms): HandlersOf<'grades'> {
  return {
    'grades.term': ({ game }, { role }) => term.table(game, role === 'student'),
    'grades.book': () => gradebook.book(),
    'grades.preview': ({ scheme }) => gradebook.preview(scheme),
    async 'grades.setScheme'({ scheme, seen }) {
      const version = await gradebook.setScheme(scheme, seen)
      signals.touch('grades')
      return { version }
    },
    async 'grades.setManual'({ person, manual, seen }) {
      const version = await gradebook.setManual(person, manual, seen)
      signals.touch('grades')
      return { version }
    },
    async 'grades.release'({ seen }) {
      const { version } = await gradebook.release(seen)
      signals.touch('grades')
      return { version }
    },
    'grades.fill': (wish) => gradebook.fill(wish),
    'grades.mine': async (_, { person }) => (person === null ? null : gradebook.mine(person)),
  }
}
