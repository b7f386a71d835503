import { holds, rowsOf, type Formula, type Solved } from './formula.ts'
import { polynomialOf, type Polynomial } from './polynomial.ts'

/** The cost of a step along a polynomial, and of adding a constraint to a polynomial, in visits of constraints. */
const STEP_VISITS = 2
const MAKING_VISITS = 100
/** More variables would take too long. */
const MOST = 30

/** The cost of `grayCode` in visits of constraints: a measure of its time. */
export function grayCodeWork(formula: Formula): number {
  let longest = 0
  for (let c = 0; c < formula.constraints; c++) {
    longest = Math.max(longest, formula.starts[c + 1]! - formula.starts[c]!)
  }
  return grayCodeWorkOf(formula.variables, formula.constraints, longest)
}

/** The maximum cost for formulas of this size. `longest`: the maximum number of members of a constraint. */
export function grayCodeWorkOf(variables: number, constraints: number, longest: number): number {
  if (variables > MOST) return Infinity
  const steps = 2 ** variables
  if (longest <= 3) return steps * STEP_VISITS + constraints * MAKING_VISITS
  return steps * (1 + (constraints * longest) / Math.max(1, variables))
}

/** The number of steps between two calls of `stop`. */
const STRIDE = 2 ** 16

/**
 * Finds the best assignment by trying all in an order in which neighbours differ in one variable. At most 30 variables.
 * `stop` is called now and then; when it returns true the best assignment so far is returned, without proof that it is
 * optimal.
 */
export function grayCode(formula: Formula, stop: () => boolean = () => false): Solved & { readonly optimal: boolean } {
  const polynomial = polynomialOf(formula)
  const { best, bestStep, optimal } =
    polynomial === undefined ? alongConstraints(formula, stop) : alongPolynomial(formula, polynomial, stop)
  const code = bestStep ^ (bestStep >> 1)
  return { values: Uint8Array.from({ length: formula.variables }, (_, v) => (code >> v) & 1), satisfied: best, optimal }
}

interface Walk {
  readonly best: number
  readonly bestStep: number
  readonly optimal: boolean
}

/**
 * Three additions per step, regardless of the number of constraints. Between two steps at which variable i flips, the
 * variables below it have returned to their values and one variable k above it has flipped: so the gain of flipping i
 * has changed by that of the pair {i, k}; and this, since its last use, by that of the triple with the one variable
 * above k that has flipped. i, k and l are the three lowest bits of the step's number (Bouillaguet and others, Fast
 * exhaustive search for polynomial systems, 2010, here with integers).
 */
function alongPolynomial(formula: Formula, polynomial: Polynomial, stop: () => boolean): Walk {
  const { variables: n, totalWeight } = formula
  const { constant, triples } = polynomial
  const singles = polynomial.singles.slice()
  const pairs = polynomial.pairs.slice()
  // When i flips, the variable below it is true and all below that are false.
  for (let i = 0; i < n; i++) {
    if (i > 0) singles[i]! += polynomial.pairs[i * n + i - 1]!
    for (let k = i + 1; k < n; k++) {
      if (i > 0) pairs[i * n + k]! += triples[(i * n + k) * n + i - 1]!
      if (k - 1 > i) pairs[i * n + k]! += triples[(i * n + k) * n + k - 1]!
    }
  }
  let satisfied = constant
  let best = satisfied
  let bestStep = 0
  const last = 2 ** n
  for (let step = 1; step < last && best < totalWeight; step++) {
    if (step % STRIDE === 0 && stop()) return { best, bestStep, optimal: false }
    const code = step ^ (step >> 1)
    const i = 31 - Math.clz32(step & -step)
    const above = step & (step - 1)
    if (above !== 0) {
      const k = 31 - Math.clz32(above & -above)
      const pair = i * n + k
      const farther = above & (above - 1)
      if (farther !== 0) {
        const l = 31 - Math.clz32(farther & -farther)
        const change = triples[pair * n + l]!
        pairs[pair]! += (code >> l) & 1 ? change : -change
      }
      singles[i]! += (code >> k) & 1 ? pairs[pair]! : -pairs[pair]!
    }
    satisfied += (code >> i) & 1 ? singles[i]! : -singles[i]!
    if (satisfied > best) {
      best = satisfied
      bestStep = step
    }
  }
  return { best, bestStep, optimal: true }
}

/** For constraints of any length: each flip visits those of its variable. */
function alongConstraints(formula: Formula, stop: () => boolean): Walk {
  const { masks, weights, owners, visits } = formula
  const values = new Uint8Array(formula.variables)
  const rows = rowsOf(formula, values)
  const visitSteps = Int32Array.from(formula.places, (place) => formula.steps[place]!)
  let satisfied = 0
  for (let c = 0; c < formula.constraints; c++) satisfied += weights[c]! * holds(masks[c]!, rows[c]!)
  let best = satisfied
  let bestStep = 0
  const last = 2 ** formula.variables
  for (let step = 1; step < last && best < formula.totalWeight; step++) {
    if (step % STRIDE === 0 && stop()) return { best, bestStep, optimal: false }
    const variable = 31 - Math.clz32(step & -step)
    const sign = (values[variable]! ^= 1) === 1 ? 1 : -1
    for (let at = visits[variable]!; at < visits[variable + 1]!; at++) {
      const c = owners[at]!
      const before = rows[c]!
      const after = before + sign * visitSteps[at]!
      rows[c] = after
      const change = holds(masks[c]!, after) - holds(masks[c]!, before)
      if (change !== 0) satisfied += change * weights[c]!
    }
    if (satisfied > best) {
      best = satisfied
      bestStep = step
    }
  }
  return { best, bestStep, optimal: true }
}
