import type { FormulaFault } from '../formulas/index.ts'
import type { Position, Problem } from '../problem.ts'
import { placesIn } from './places.ts'

/** Maximum number of problems reported. */
export const MOST = 50

/** Collects the problems of one challenge file, with positions in it. */
export interface ProblemList {
  readonly problems: readonly Problem[]
  readonly place: (offset: number) => Position
  add(at: number, message: string, hint?: string): void
  addFault(fault: FormulaFault): void
  addProblem(problem: Problem): void
}

export function problemList(source: string): ProblemList {
  const problems: Problem[] = []
  const place = placesIn(source)
  const addProblem = (problem: Problem): void => {
    // A rule for all alternatives of a class is checked once for each, so it may report a problem repeatedly.
    const isSame = ({ at, message }: Problem): boolean => at.offset === problem.at.offset && message === problem.message
    if (problems.length < MOST && !problems.some(isSame)) problems.push(problem)
  }
  const add = (at: number, message: string, hint?: string): void => {
    addProblem(hint === undefined ? { at: place(at), message } : { at: place(at), message, hint })
  }
  return { problems, place, add, addProblem, addFault: (fault) => add(fault.at, fault.message, fault.hint) }
}
