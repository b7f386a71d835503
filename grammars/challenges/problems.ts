import type { FormulaFault } from '../formulas/index.ts'
import type { ProblemCode } from '../problem-codes.ts'
import type { Position, Problem } from '../problem.ts'
import { placesIn } from './places.ts'

/** Maximum number of problems reported. */
export const MOST = 50

/** Collects the problems of one challenge file, with positions in it. */
export interface ProblemList {
  readonly problems: readonly Problem[]
  readonly place: (offset: number) => Position
  add(at: number, message: string, hint: string | undefined, code: ProblemCode): void
  addFault(fault: FormulaFault): void
  addProblem(problem: Problem): void
}

/** `original`: the offset in the file of each offset that is given. */
export function problemList(source: string, original: (offset: number) => number = (offset) => offset): ProblemList {
  const problems: Problem[] = []
  const placeIn = placesIn(source)
  const place = (offset: number): Position => placeIn(original(offset))
  const addProblem = (problem: Problem): void => {
    // A rule for all alternatives of a class is checked once for each, so it may report a problem repeatedly.
    const isSame = ({ at, message }: Problem): boolean => at.offset === problem.at.offset && message === problem.message
    if (problems.length < MOST && !problems.some(isSame)) problems.push(problem)
  }
  const add = (at: number, message: string, hint: string | undefined, code: ProblemCode): void => {
    addProblem({
      at: place(at),
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
    })
  }
  const addFault = ({ at, remedy, ...rest }: FormulaFault): void => {
    const there = remedy && { ...remedy, from: original(remedy.from), to: original(remedy.to) }
    // Within what another remedy replaces, the file may have the text already.
    const changes = there !== undefined && source.slice(there.from, there.to) !== there.text
    addProblem({ at: place(at), ...rest, ...(changes ? { remedy: there } : {}) })
  }
  return { problems, place, add, addProblem, addFault }
}
