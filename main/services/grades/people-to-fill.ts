import { namesAreLocked } from '../../administrator/classroom/name-lock.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { factsLine } from '../../contract/grades/grade-words.ts'
import type { FilledGradeFile, Gradebook } from '../../contract/grades/gradebook.ts'
import { isLocked } from '../../contract/people/locked-names.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'
import { studentsOf } from './class-facts.ts'
import type { GradedPerson } from './lms/grade-file.ts'

/** The grades for a file of an LMS, and facts to tell about them. */
export interface PeopleToFill extends Pick<FilledGradeFile, 'releasedAt' | 'unreleased' | 'differing'> {
  readonly students: readonly GradedPerson[]
}

/**
 * The students of a gradebook with their grades for a file of an LMS. `isReleased`: those that students see, else those that count now.
 * Throws ExpectedError 'usage' if labels are wanted of grades without bands, or the names are locked.
 */
export function peopleToFill(
  { rows, release, bands }: Pick<Gradebook, 'rows' | 'release' | 'bands'>,
  content: Pick<Classroom, 'people'>,
  { areLabels, isReleased }: { readonly areLabels: boolean; readonly isReleased: boolean },
): PeopleToFill {
  if (content.people.some(isLocked)) throw namesAreLocked()
  const people = new Map(studentsOf(content).map((person) => [person.id, person]))
  const graded = rows.flatMap(({ person, name, computed, manual, released, changedTo }) => {
    const { ids = {}, email } = people.get(person) ?? {}
    const of = isReleased ? released : { computed, manual }
    const counting = of === null ? null : (of.manual ?? of.computed)
    return [{ identity: { name, ids, ...(email === undefined ? {} : { email }) }, of, counting, changedTo }]
  })
  const hasBands = isReleased ? graded.some(({ counting }) => (counting?.band ?? null) !== null) : bands.length > 0
  if (areLabels && !hasBands)
    throw new ExpectedError(
      'usage',
      'scheme-without-bands',
      'The scheme has no bands, so that grades have no labels: add a line such as bands 90 "A", 75 "B", else "C".',
    )
  return {
    students: graded.map(({ identity, of, counting }) => ({
      ...identity,
      grade: counting === null ? null : areLabels ? counting.band : String(Number(counting.value.toFixed(2))),
      feedback: of === null ? '' : feedbackOf(of),
    })),
    releasedAt: isReleased ? (release?.at ?? null) : null,
    unreleased: graded.flatMap(({ identity, counting }) => (counting === null ? [identity.name] : [])),
    differing: isReleased
      ? graded.flatMap(({ identity, changedTo }) => (changedTo === null ? [] : [identity.name]))
      : [],
  }
}

function feedbackOf({ computed, manual }: Pick<Gradebook['rows'][number], 'computed' | 'manual'>): string {
  const facts = computed === null ? '' : factsLine(computed.explanation)
  return manual === null ? facts : `by hand: ${manual.reason}; ${facts}`
}
