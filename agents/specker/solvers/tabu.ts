import { holds, rowsOf, type Formula, type Solved } from './formula.ts'

/**
 * Tabu search from an assignment: always the best flip that is not tabu, or a tabu one that gives a new record. Ends
 * after `flips` flips, or when everything is satisfied. `random`: numbers in [0, 1).
 */
export function tabuSearch(formula: Formula, from: Uint8Array, flips: number, random: () => number): Solved {
  const { variables, masks, weights, starts, members, steps, places, owners, visits } = formula
  const values = from.slice()
  const rows = rowsOf(formula, values)
  const gains = new Float64Array(variables)
  const freeAt = new Int32Array(variables)
  let satisfied = 0

  /** Adds (sign 1) or removes (-1) the contribution of constraint c to the gains of its variables. */
  const count = (c: number, sign: number): void => {
    const row = rows[c]!
    const mask = masks[c]!
    const now = holds(mask, row)
    for (let place = starts[c]!; place < starts[c + 1]!; place++) {
      const member = members[place]!
      const then = holds(mask, values[member] === 1 ? row - steps[place]! : row + steps[place]!)
      if (then !== now) gains[member]! += sign * (then - now) * weights[c]!
    }
  }
  for (let c = 0; c < formula.constraints; c++) {
    satisfied += weights[c]! * holds(masks[c]!, rows[c]!)
    count(c, 1)
  }

  let best = satisfied
  let bestValues = values.slice()
  const tenure = 2 + Math.floor(variables / 8)
  for (let flip = 1; flip <= flips && best < formula.totalWeight; flip++) {
    let chosen = -1
    let top = -Infinity
    let ties = 0
    for (let v = 0; v < variables; v++) {
      const gain = gains[v]!
      if (gain < top || (freeAt[v]! > flip && satisfied + gain <= best)) continue
      if (gain > top) {
        chosen = v
        top = gain
        ties = 1
      } else if (random() * ++ties < 1) chosen = v
    }
    if (chosen < 0) continue
    for (let at = visits[chosen]!; at < visits[chosen + 1]!; at++) count(owners[at]!, -1)
    satisfied += gains[chosen]! + top
    const sign = (values[chosen]! ^= 1) === 1 ? 1 : -1
    for (let at = visits[chosen]!; at < visits[chosen + 1]!; at++) rows[owners[at]!]! += sign * steps[places[at]!]!
    for (let at = visits[chosen]!; at < visits[chosen + 1]!; at++) count(owners[at]!, 1)
    freeAt[chosen] = flip + tenure + Math.floor(random() * tenure)
    if (satisfied > best) {
      best = satisfied
      bestValues = values.slice()
    }
  }
  return { values: bestValues, satisfied: best }
}
