import { holds, rowsOf, type Formula, type Solved } from './formula.ts'

/** Constraint visits that `grayCode` makes: a measure of its time. */
export function grayCodeWork(formula: Formula): number {
  return formula.variables > 30
    ? Infinity
    : 2 ** formula.variables * (1 + formula.members.length / Math.max(1, formula.variables))
}

/** Steps between two questions whether to stop. */
const STRIDE = 2 ** 16

/**
 * The best assignment, by trying all in an order in which neighbours differ in one variable. At most 30 variables. `stop` is
 * asked now and then; once it says yes the best so far is returned, and whether there is no better one is not known.
 */
export function grayCode(formula: Formula, stop: () => boolean = () => false): Solved & { readonly optimal: boolean } {
  const { masks, weights, steps, places, owners, visits } = formula
  const values = new Uint8Array(formula.variables)
  const rows = rowsOf(formula, values)
  let satisfied = 0
  for (let c = 0; c < formula.constraints; c++) satisfied += weights[c]! * holds(masks[c]!, rows[c]!)
  let best = satisfied
  let bestStep = 0
  const last = 2 ** formula.variables
  let optimal = true
  for (let step = 1; step < last && best < formula.totalWeight; step++) {
    if (step % STRIDE === 0 && stop()) {
      optimal = false
      break
    }
    const variable = 31 - Math.clz32(step & -step)
    const sign = (values[variable]! ^= 1) === 1 ? 1 : -1
    for (let at = visits[variable]!; at < visits[variable + 1]!; at++) {
      const c = owners[at]!
      const before = rows[c]!
      const after = before + sign * steps[places[at]!]!
      rows[c] = after
      const change = holds(masks[c]!, after) - holds(masks[c]!, before)
      if (change !== 0) satisfied += change * weights[c]!
    }
    if (satisfied > best) {
      best = satisfied
      bestStep = step
    }
  }
  const code = bestStep ^ (bestStep >> 1)
  return { values: values.map((_, v) => (code >> v) & 1), satisfied: best, optimal }
}
