import type { GradedContest, GradedStudent, GradeTerm } from '../../../contract/grades/grade-terms.ts'

/** The figures of one student in a list, and those that were dropped from it. */
export interface Figures {
  readonly parts: readonly GradeTerm[]
  readonly left: readonly GradeTerm[]
}

/** A part of a scheme that is ready to be computed, for all students at once: a curve needs the figures of all. */
export type Compiled =
  | { readonly type: 'number'; run(students: readonly GradedStudent[]): readonly GradeTerm[] }
  | {
      readonly type: 'list'
      readonly length: number
      /** The places, by index, whose contest is to come: they stay in step with other lists, and change no figure. */
      readonly isOpen: readonly boolean[]
      /** The number of figures that were dropped from it. */
      readonly dropped: number
      run(students: readonly GradedStudent[]): readonly Figures[]
    }
  | { readonly type: 'contests'; readonly contests: readonly GradedContest[] }
  | { readonly type: 'text'; readonly value: string }

export type CompiledNumber = Extract<Compiled, { type: 'number' }>
export type CompiledList = Extract<Compiled, { type: 'list' }>

/** Sums of decimals are not exact, and what cannot be divided is 0. */
export const exact = (value: number): number => (Number.isFinite(value) ? Number(value.toPrecision(12)) : 0)

/** A number that is the same for all students. */
export const constant = (value: number): CompiledNumber => ({
  type: 'number',
  run: (students) => students.map(() => ({ kind: 'number', value })),
})
