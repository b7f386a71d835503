import type { Challenge } from '../../../grammars/challenges/index.ts'
import { compare, fraction, type Fraction } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../../main/contract/json.ts'

/** A feasible solution with its quality. */
export interface Rated {
  readonly solution: Json
  readonly quality: Fraction
}

/** The number of failed improvements after which a new random solution is tried. */
const PATIENCE = 300

/**
 * The best solution found before `stop` returns true, for any challenge: random solutions, each improved by small
 * changes of its lists. A string says why there is none. `random`: uniform 32-bit numbers.
 */
export function climb(
  challenge: Challenge,
  config: Json,
  instance: Json,
  random: () => number,
  stop: () => boolean,
): Rated | string {
  const rate = (solution: Json): Fraction | null => {
    if (challenge.feasible(config, instance, solution) !== null) return null
    const quality = challenge.quality(config, instance, solution)
    return typeof quality === 'string' ? null : quality
  }
  const perfect = fraction(1)
  let best: Rated | null = null
  do {
    const made = challenge.sampler.solution(config, instance, random)
    if (!made.ok) return best ?? made.error
    const quality = rate(made.value)
    if (quality === null) continue
    let here: Rated = { solution: made.value, quality }
    for (let failed = 0; failed < PATIENCE && !stop() && compare(here.quality, perfect) < 0; failed++) {
      const solution = changed(here.solution, made.value, random)
      const next = rate(solution)
      if (next === null || compare(next, here.quality) < 0) continue
      if (compare(next, here.quality) > 0) failed = 0
      here = { solution, quality: next }
    }
    if (best === null || compare(here.quality, best.quality) > 0) best = here
  } while (!stop() && (best === null || compare(best.quality, perfect) < 0))
  return best ?? 'No solution was found that can be rated.'
}

/** The solution with a small change in one of its lists. `other` has the same shape and lends elements. */
function changed(solution: Json, other: Json, random: () => number): Json {
  const labels = Object.entries(solution as object).filter(([, value]) => Array.isArray(value))
  const chosen = labels[random() % Math.max(1, labels.length)]
  if (chosen === undefined) return solution
  const [label, list] = chosen as [string, readonly Json[]]
  const lent = (other as { readonly [label: string]: Json })[label]
  return { ...(solution as object), [label]: changedList(list, Array.isArray(lent) ? lent : [], random) }
}

function changedList(list: readonly Json[], other: readonly Json[], random: () => number): Json[] {
  const at = random() % Math.max(1, list.length)
  const to = random() % Math.max(1, list.length)
  switch (random() % 5) {
    case 0: // reverse a part: 2-opt for tours
      return [
        ...list.slice(0, Math.min(at, to)),
        ...list.slice(Math.min(at, to), Math.max(at, to) + 1).reverse(),
        ...list.slice(Math.max(at, to) + 1),
      ]
    case 1: // move one element
      return list.toSpliced(at, 1).toSpliced(to, 0, ...list.slice(at, at + 1))
    case 2: // remove an element
      return list.toSpliced(at, 1)
    case 3: // insert an element
      return list.toSpliced(at, 0, element(list, other, random))
    default: // replace an element
      return list.length === 0 ? [] : list.with(at, element(list, other, random))
  }
}

/** An element that could be in the list: one from either list, or a number close to one. */
function element(list: readonly Json[], other: readonly Json[], random: () => number): Json {
  const all = [...list, ...other]
  const near = all[random() % Math.max(1, all.length)] ?? 1
  if (typeof near !== 'number') return near
  const steps = [0, 1, -1, 1 - 2 * near, 0.1, -0.1, random() % 10, -(random() % 10)]
  const step = steps[random() % steps.length]!
  return Number((near + step).toFixed(6))
}
