import { type Formula, type Solved } from './formula.ts'
import { grayCode, grayCodeWork, grayCodeWorkOf } from './gray-code.ts'
import { solveEquations } from './linear.ts'
import { lookAhead } from './look-ahead.ts'
import { tabuSearch } from './tabu.ts'

/** How much a solver may do; counts, not times, so that equal seeds give equal answers. */
export interface Effort {
  /** Constraint visits that trying all assignments may cost. */
  readonly exhaustive: number
  /** Flips of the tabu search where trying all is too much. */
  readonly flips: number
}

/**
 * Constraint visits that certainly fit into a millisecond, also on a slow machine with other things to do: a quarter of the
 * least that was measured, which was 117,000 to 150,000 (npm run bench -- solver).
 */
const VISITS_A_MS = 30_000
/** Where no time slot is told, the limit for a move is one second by default; more than ten are never used up. */
const USUAL_MS = 1_000
const LONGEST_MS = 10_000

/** What may be done for each of `due` formulas of one turn. `timeslot`: for the turn, in ms; null where it is not told. */
export function effortFor(timeslot: number | null | undefined, due: number, flips: number): Effort {
  const ms = Math.min(timeslot ?? USUAL_MS, LONGEST_MS)
  return { exhaustive: (ms * VISITS_A_MS) / due, flips: Math.max(400, Math.floor(flips / due)) }
}

/** Up to here all assignments are counted on being tried, where the time slot is long enough for it. */
const EXACT_VARIABLES = 22

/** Whether `solve` tries all assignments of every formula of this size, one at a time. `longest`: members of a constraint. */
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

/** Optimal where the formula is small enough for the effort; otherwise never below the look-ahead's guarantee. */
export function solve(formula: Formula, effort: Effort, random: () => number): Solved & { readonly optimal: boolean } {
  if (grayCodeWork(formula) <= effort.exhaustive) return grayCode(formula)
  const start = solveEquations(formula, lookAhead(formula), effort.exhaustive, random)
  const found = tabuSearch(formula, start.values, effort.flips, random)
  return { ...found, optimal: found.satisfied === formula.totalWeight }
}
