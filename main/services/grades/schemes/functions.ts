import { contestMeasures, counts, type ContestMeasure, type GradeCount } from '../../../contract/grades/grade-terms.ts'

/** The functions that combine figures; each is described in docs/grades.md. */
export const combiners = [
  'mean',
  'sum',
  'min',
  'max',
  'best',
  'drop',
  'weighted',
  'cap',
  'step',
  'curve',
  'round',
] as const
export type Combiner = (typeof combiners)[number]

export const isCombiner = (name: string): name is Combiner => combiners.includes(name as Combiner)
export const isMeasure = (name: string): name is ContestMeasure => contestMeasures.includes(name as ContestMeasure)
export const isCount = (name: string): name is GradeCount => counts.includes(name as GradeCount)

/** All contests that count, `contests`, or those of a game, whose id is given. */
export const CONTESTS = 'contests'

/** The phases of a longer contest, of which one is named. */
export const PHASES = 'phases'

/** The part that is the grade. */
export const GRADE = 'grade'

/** Names that a part cannot have. */
export const takenNames: ReadonlySet<string> = new Set([CONTESTS, PHASES, ...combiners, ...contestMeasures, ...counts])

/** Every name that can be called. */
export const callable: readonly string[] = [...contestMeasures, ...combiners, CONTESTS, PHASES]
