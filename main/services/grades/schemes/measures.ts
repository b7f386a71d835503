import type {
  ContestMeasure,
  GradeCount,
  GradedContest,
  GradedStudent,
  GradeTerm,
  TeamInContest,
} from '../../../contract/grades/grade-terms.ts'
import { exact, type CompiledList, type CompiledNumber } from './compiled.ts'
import { listed } from './combine.ts'

/** A measure of one contest. `other`: the agent of `against`, '' for other measures. */
export function measured(measure: ContestMeasure, contest: GradedContest, other: string): CompiledNumber {
  return { type: 'number', run: (students) => students.map((each) => measureOf(measure, contest, other, each)) }
}

/** True for a measure that has no value before the contest has ended. */
const isOpen = (measure: ContestMeasure, { isToCome = false }: GradedContest): boolean =>
  isToCome && measure !== 'handed'

/** The measure in each contest. */
export const measuredInAll = (
  measure: ContestMeasure,
  contests: readonly GradedContest[],
  other: string,
): CompiledList => ({
  ...listed(contests.map((contest) => measured(measure, contest, other))),
  isOpen: contests.map((contest) => isOpen(measure, contest)),
})

export const counted = (count: GradeCount): CompiledNumber => ({
  type: 'number',
  run: (students) => students.map((each) => ({ kind: 'count', count, value: each.counts[count] })),
})

function measureOf(measure: ContestMeasure, graded: GradedContest, other: string, { team }: GradedStudent): GradeTerm {
  const { contest, title, teams, handed } = graded
  if (isOpen(measure, graded))
    return { kind: 'measure', measure, contest, title, other, value: 0, facts: null, isToCome: true, met: null }
  const found = team !== null && Object.hasOwn(teams, team) ? teams[team]! : null
  const met = found !== null && Object.hasOwn(found.against, other) ? found.against[other]! : null
  const value =
    measure === 'handed'
      ? team !== null && Object.hasOwn(handed, team)
        ? handed[team]!
        : 0
      : found === null
        ? 0
        : valueOf(measure, found, met)
  return {
    ...{ kind: 'measure', measure, contest, title, other, value: exact(value) },
    facts: found === null ? null : withoutMeetings(found),
    met: measure === 'against' ? met : null,
  }
}

function valueOf(
  measure: Exclude<ContestMeasure, 'handed'>,
  facts: TeamInContest,
  met: { readonly better: number; readonly met: number } | null,
): number {
  if (measure === 'played') return 1
  if (measure === 'against') return met === null || met.met === 0 ? 0 : (100 * met.better) / met.met
  return facts[measure]
}

const withoutMeetings = ({ against: _, ...facts }: TeamInContest): Omit<TeamInContest, 'against'> => facts
