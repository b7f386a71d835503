import { type Formula, type Solved } from './formula.ts'
import { grayCode, grayCodeWork, grayCodeWorkOf } from './gray-code.ts'
import { solveEquations } from './linear.ts'
import { lookAhead } from './look-ahead.ts'
import { tabuSearch } from './tabu.ts'

/** How much work a solver may do; counts, not times, so that equal seeds give equal answers. */
export interface Effort {
  /** The maximum cost of trying all assignments, in visits of constraints. */
  readonly exhaustive: number
  /** The number of flips of the tabu search if trying all costs more. */
  readonly flips: number
}

/**
 * The number of visits of constraints that certainly fit into a millisecond, even on a slow and busy machine: a quarter
 * of the minimum measured, which was 117,000 to 150,000 (npm run bench -- solver).
 */
const VISITS_A_MS = 30_000
/** If no time slot is stated, the limit for a move is one second by default; never more than ten are used. */
const USUAL_MS = 1_000
const LONGEST_MS = 10_000

/** The effort for each of `due` formulas in one turn. `timeslot`: of the turn, in ms; null if it is not stated. */
export function effortFor(timeslot: number | null | undefined, due: number, flips: number): Effort {
  const ms = Math.min(timeslot ?? USUAL_MS, LONGEST_MS)
  return { exhaustive: (ms * VISITS_A_MS) / due, flips: Math.max(400, Math.floor(flips / due)) }
}

/** Up to this number of variables all assignments are expected to be tried, if the time slot is long enough. */
const EXACT_VARIABLES = 22

/**
 * True if `solve` tries all assignments of every formula of this size, one formula at a time. `longest`: the maximum
 * number of members of a constraint.
 */
export function solvesExactly(
  {
    variables,
    constraints,
    longest,
  }: { readonly variables: number; readonly constraints: number; readonly longest: number },
  timeslot: number | null | undefined,
): boolean {
  if (variables > EXACT_VARIABLES) return false
  return grayCodeWorkOf(variables, constraints, longest) <= effortFor(timeslot, 1, 0).exhaustive
}

/** Optimal if the formula is small enough for the effort; otherwise never below the look-ahead's guarantee. */
export function solve(formula: Formula, effort: Effort, random: () => number): Solved & { readonly optimal: boolean } {
  if (grayCodeWork(formula) <= effort.exhaustive) return grayCode(formula)
  const start = solveEquations(formula, lookAhead(formula), effort.exhaustive, random)
  const found = tabuSearch(formula, start.values, effort.flips, random)
  return { ...found, optimal: found.satisfied === formula.totalWeight }
}
