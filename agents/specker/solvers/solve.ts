import { type Formula, type Solved } from './formula.ts'
import { grayCode, grayCodeWork } from './gray-code.ts'
import { lookAhead } from './look-ahead.ts'
import { tabuSearch } from './tabu.ts'

/** How much a solver may do; counts, not times, so that equal seeds give equal answers. */
export interface Effort {
  /** Constraint visits that trying all assignments may cost. */
  readonly exhaustive: number
  /** Flips of the tabu search where trying all is too much. */
  readonly flips: number
}

/** Optimal where the formula is small enough for the effort; otherwise never below the look-ahead's guarantee. */
export function solve(formula: Formula, effort: Effort, random: () => number): Solved {
  if (grayCodeWork(formula) <= effort.exhaustive) return grayCode(formula)
  const start = lookAhead(formula)
  return tabuSearch(formula, start.values, effort.flips, random)
}
