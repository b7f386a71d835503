import type { Grade, GradedContest, GradedStudent, TeamInContest } from '../../../main/contract/grades/grade-terms.ts'
import { readScheme } from '../../../main/services/grades/schemes/scheme.ts'

/** A contest of a made-up class. Teams by their names; what is not said is 0. */
export function contestWith(
  contest: string,
  teams: Readonly<Record<string, Partial<TeamInContest>>>,
  more: Partial<GradedContest> = {},
): GradedContest {
  const of = Object.keys(teams).length
  const usual: TeamInContest = {
    ...{ rank: 1, of, points: 0, place: 0, tied: 0, tiedWith: 1, share: 0, rulings: [], late: 0, against: {} },
  }
  const complete = Object.entries(teams).map(([team, facts]) => [team, { ...usual, ...facts }] as const)
  return {
    contest,
    title: `Title of ${contest}`,
    game: 'haggle',
    firstPhase: contest,
    teams: Object.fromEntries(complete),
    handed: {},
    opponents: ['baby', ...Object.keys(teams)],
    ...more,
  }
}

export const student = (
  person: string,
  team: string | null = person,
  counts: Partial<GradedStudent['counts']> = {},
): GradedStudent => ({
  ...{ person, team },
  counts: { filed: 0, upheld: 0, panels: 0, published: 0, ...counts },
})

/** The grades by a scheme that has no problem. */
export function gradesBy(
  text: string,
  contests: readonly GradedContest[],
  students: readonly GradedStudent[],
): readonly Grade[] {
  const read = readScheme(text, contests)
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.scheme.grades(students)
}

/** The grades as numbers, by person. */
export const valuesBy = (...args: Parameters<typeof gradesBy>): Readonly<Record<string, number>> =>
  Object.fromEntries(gradesBy(...args).map(({ person, value }) => [person, value]))
