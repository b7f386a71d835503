import type { Formula, Solved } from '../../../../agents/specker/solvers/formula.ts'
import { grayCode } from '../../../../agents/specker/solvers/gray-code.ts'
import { lookAhead } from '../../../../agents/specker/solvers/look-ahead.ts'
import { tabuSearch } from '../../../../agents/specker/solvers/tabu.ts'

/** Up to so many variables all assignments can be tried. */
const EXHAUSTIVE = 22
/** Flips of the tabu search between two looks at the clock; a new start follows those that found nothing better. */
const FLIPS = 5_000
/** One start in so many is random; the others shake the best assignment. */
const FRESH = 4
const SHAKEN = 0.15

/** An assignment; `optimal`: there is certainly no better one. */
export interface BestAssignment extends Solved {
  readonly optimal: boolean
}

/**
 * The best assignment that is found before `stop` says yes. Never worse than the derandomised look-ahead, whatever the time;
 * by Gray code the best there is up to 22 variables, where there is time for it; by tabu search otherwise. `random`: [0, 1).
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
    // What gets better is followed as long as it does.
    for (let before = best.satisfied; found.satisfied > before && !done() && !stop();) {
      best = found
      before = found.satisfied
      found = tabuSearch(formula, found.values, FLIPS, random)
    }
    if (found.satisfied > best.satisfied) best = found
  }
  return { ...best, optimal: done() }
}
