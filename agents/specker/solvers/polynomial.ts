import { holds, type Formula } from './formula.ts'

/** The maximum number of variables of a constraint, which is the polynomial's degree. */
const DEGREE = 3

/**
 * The satisfied weight as a polynomial of the variables, each 0 or 1: a constant, and what each variable, pair and
 * triple adds when all its variables are true. Integers, as the weights are. The indices of a pair {i, k} are i * n + k
 * and k * n + i; a triple has six.
 */
export interface Polynomial {
  readonly constant: number
  readonly singles: Float64Array
  readonly pairs: Float64Array
  readonly triples: Float64Array
}

/** undefined: a constraint has more variables. */
export function polynomialOf(formula: Formula): Polynomial | undefined {
  const { variables: n, constraints, starts, members, steps, emptyRows, masks, weights } = formula
  const singles = new Float64Array(n)
  const pairs = new Float64Array(n * n)
  const triples = new Float64Array(n * n * n)
  let constant = 0
  const add = (at: readonly number[], amount: number): void => {
    const [i, j, k] = at
    if (i === undefined) constant += amount
    else if (j === undefined) singles[i]! += amount
    else if (k === undefined) {
      pairs[i * n + j]! += amount
      pairs[j * n + i]! += amount
    } else {
      for (const [a, b, c] of [
        [i, j, k],
        [i, k, j],
        [j, i, k],
        [j, k, i],
        [k, i, j],
        [k, j, i],
      ] as const) {
        triples[(a * n + b) * n + c]! += amount
      }
    }
  }
  for (let c = 0; c < constraints; c++) {
    const first = starts[c]!
    const arity = starts[c + 1]! - first
    if (arity > DEGREE) return undefined
    const scope = members.subarray(first, first + arity)
    // A variable that occurs twice in a constraint is one variable of a polynomial.
    if (new Set(scope).size < arity) return undefined
    const added = new Float64Array(1 << arity)
    for (let subset = 0; subset < 1 << arity; subset++) {
      let row = emptyRows[c]!
      for (let bit = 0; bit < arity; bit++) if ((subset >> bit) & 1) row += steps[first + bit]!
      added[subset] = holds(masks[c]!, row) * weights[c]!
      // The contribution of smaller subsets of these variables is already counted.
      for (let part = (subset - 1) & subset; subset > 0; part = (part - 1) & subset) {
        added[subset]! -= added[part]!
        if (part === 0) break
      }
      if (added[subset] !== 0) {
        add(
          Array.from(scope).filter((_, bit) => (subset >> bit) & 1),
          added[subset]!,
        )
      }
    }
  }
  return { constant, singles, pairs, triples }
}
