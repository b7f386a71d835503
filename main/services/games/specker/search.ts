import type { Formula, Solved } from '../../../../agents/specker/solvers/formula.ts'
import { grayCode } from '../../../../agents/specker/solvers/gray-code.ts'
import { lookAhead } from '../../../../agents/specker/solvers/look-ahead.ts'
import { tabuSearch } from '../../../../agents/specker/solvers/tabu.ts'

/** The maximum number of variables for which all assignments can be tried. */
const EXHAUSTIVE = 22
/**
 * The number of flips of the tabu search between two checks of the time. A new start follows if they bring no
 * improvement.
 */
const FLIPS = 5_000
/** One start in this many is random; the others perturb the best assignment. */
const FRESH = 4
const SHAKEN = 0.15

/** An assignment. `optimal`: proved to be the best. */
export interface BestAssignment extends Solved {
  readonly optimal: boolean
}

/**
 * The best assignment found before `stop` returns true, never worse than the derandomised look-ahead. Up to 22
 * variables it tries all assignments by Gray code, given enough time; otherwise it uses tabu search. `random`: [0, 1).
 */
export function search(formula: Formula, random: () => number, stop: () => boolean): BestAssignment {
  let best = tabuSearch(formula, lookAhead(formula).values, FLIPS, random)
  const done = (): boolean => best.satisfied === formula.totalWeight
  if (formula.variables <= EXHAUSTIVE && !done()) {
    const { optimal, ...tried } = grayCode(formula, stop)
    return optimal || tried.satisfied > best.satisfied ? { ...tried, optimal } : { ...best, optimal }
  }
  for (let start = 1; !done() && !stop(); start++) {
    const chance = start % FRESH === 0 ? 0.5 : SHAKEN
    const from = best.values.map((value) => (random() < chance ? 1 - value : value))
    let found = tabuSearch(formula, from, FLIPS, random)
    // Continues as long as it improves.
    for (let before = best.satisfied; found.satisfied > before && !done() && !stop();) {
      best = found
      before = found.satisfied
      found = tabuSearch(formula, found.values, FLIPS, random)
    }
    if (found.satisfied > best.satisfied) best = found
  }
  return { ...best, optimal: done() }
}
