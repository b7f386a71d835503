import { CLAUSE_MASK, holds, satisfiedWeight, type Formula, type Solved } from './formula.ts'

const UNSET = 2

/**
 * Derandomised look-ahead (MAXMEAN by conditional expectations): chooses the number k of true variables whose random
 * placement satisfies most on average, then fixes one variable after the other without ever lowering that average. The
 * result satisfies at least the best average, so at least the break-even value V_n of any predicate that the formula
 * matches.
 */
export function lookAhead(formula: Formula): Solved {
  const { variables, visits, owners } = formula
  const values = new Uint8Array(variables).fill(UNSET)
  const patterns = new Patterns(formula, values)
  for (let c = 0; c < formula.constraints; c++) patterns.add(c, 1)
  let k = 0
  let average = -Infinity
  for (let count = 0; count <= variables; count++) {
    const value = patterns.expected(variables, count)
    if (value > average + 1e-9) {
      k = count
      average = value
    }
  }
  const visit = (v: number, sign: number): void => {
    for (let at = visits[v]!; at < visits[v + 1]!; at++) patterns.add(owners[at]!, sign)
  }
  for (let v = 0; v < variables; v++) {
    const left = variables - v - 1
    visit(v, -1)
    values[v] = 0
    visit(v, 1)
    const whenFalse = k <= left ? patterns.expected(left, k) : -Infinity
    visit(v, -1)
    values[v] = 1
    visit(v, 1)
    const whenTrue = k > 0 ? patterns.expected(left, k - 1) : -Infinity
    if (whenTrue > whenFalse) k -= 1
    else {
      visit(v, -1)
      values[v] = 0
      visit(v, 1)
    }
  }
  return { values, satisfied: satisfiedWeight(formula, values) }
}

/**
 * The weight of each pattern "of u open variables these s must be true, the others false"; patterns of failing clauses
 * have negative weight. All patterns (u, s) have the same probability, so fixing a variable affects only its
 * constraints.
 */
class Patterns {
  readonly #formula: Formula
  readonly #values: Uint8Array
  readonly #width: number
  readonly #weights: Float64Array
  #certain = 0

  constructor(formula: Formula, values: Uint8Array) {
    let arity = 0
    for (let c = 0; c < formula.constraints; c++) arity = Math.max(arity, formula.starts[c + 1]! - formula.starts[c]!)
    this.#formula = formula
    this.#values = values
    this.#width = arity + 1
    this.#weights = new Float64Array(this.#width * this.#width)
  }

  /** Adds (sign 1) or removes (-1) constraint c under the values fixed so far. */
  add(c: number, sign: number): void {
    const { starts, members, steps, emptyRows, masks, weights } = this.#formula
    const weight = sign * weights[c]!
    const open: number[] = []
    let row = emptyRows[c]!
    for (let place = starts[c]!; place < starts[c + 1]!; place++) {
      const value = this.#values[members[place]!]
      if (value === UNSET) open.push(steps[place]!)
      else if (value === 1) row += steps[place]!
    }
    if (masks[c] === CLAUSE_MASK) {
      // With all open variables false the row counts the true literals, including open negative ones.
      const negatives = open.reduce((count, step) => (step < 0 ? count + 1 : count), 0)
      this.#certain += weight
      if (row === negatives) this.#weights[open.length * this.#width + negatives]! -= weight
      return
    }
    for (let subset = 0; subset < 1 << open.length; subset++) {
      let at = row
      let trues = 0
      open.forEach((step, bit) => {
        if ((subset >> bit) & 1) {
          at += step
          trues += 1
        }
      })
      if (holds(masks[c]!, at)) this.#weights[open.length * this.#width + trues]! += weight
    }
  }

  /** The expected satisfied weight when a random k of the `left` open variables are true. */
  expected(left: number, k: number): number {
    let sum = this.#certain
    for (let open = 0; open < this.#width; open++) {
      for (let trues = 0; trues <= open; trues++) {
        const weight = this.#weights[open * this.#width + trues]!
        if (weight === 0 || trues > k || open - trues > left - k) continue
        let chance = 1
        for (let i = 0; i < open; i++) chance *= (i < trues ? k - i : left - k - (i - trues)) / (left - i)
        sum += weight * chance
      }
    }
    return sum
  }
}
