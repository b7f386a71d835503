import { holds, satisfiedWeight, type Formula, type Solved } from './formula.ts'

/** Constraints with more members are left out, because all of their assignments are tried. */
const MOST_MEMBERS = 8
/**
 * The number of orders in which the equations are added, at most: with one wrong equation in ten, one order in 560 begins with
 * 60 right ones.
 */
const MOST_TRIES = 600
/** The part of the budget for one order, at most. */
const SHARE = 1 / 24
/** The work of shuffling and counting a constraint, in words. */
const WORDS_A_CONSTRAINT = 40

/** A linear equation over GF(2): the sum of the variables is `sum`. */
interface Equation {
  readonly variables: readonly number[]
  readonly sum: number
}

/** The equations that every assignment that satisfies one constraint fulfils. */
interface Implied {
  readonly weight: number
  readonly equations: readonly Equation[]
}

/**
 * The best assignment that Gaussian elimination finds, never worse than `from`. Every constraint implies the linear
 * equations that hold in all of its satisfying assignments; an exclusive-or is equivalent to its equation. Constraints
 * are added, heaviest first and then in random orders, as long as their equations are consistent with the previous
 * ones. If all equations are consistent and no constraint needs more than its equations, the result is optimal,
 * although local search rarely comes close to it. Variables that the equations do not determine are as in `from`.
 * `budget`: the number of 32-bit words that may be read. `random`: numbers in [0, 1).
 */
export function solveEquations(formula: Formula, from: Solved, budget: number, random: () => number): Solved {
  const implied = impliedBy(formula).sort((a, b) => b.weight - a.weight)
  let best = from
  if (implied.length === 0) return best
  let left = budget
  for (let attempt = 0; attempt < MOST_TRIES && left > 0 && best.satisfied < formula.totalWeight; attempt++) {
    if (attempt > 0) shuffle(implied, random)
    const { values, consistent, words } = solveInOrder(formula.variables, implied, from.values, budget * SHARE)
    left -= words + WORDS_A_CONSTRAINT * formula.constraints
    const satisfied = satisfiedWeight(formula, values)
    if (satisfied > best.satisfied) best = { values, satisfied }
    // Another order would give the same equations.
    if (consistent) break
  }
  return best
}

function impliedBy(formula: Formula): Implied[] {
  const known = new Map<string, readonly (readonly [members: number, sum: number])[]>()
  const all: Implied[] = []
  for (let c = 0; c < formula.constraints; c++) {
    const [start, end] = [formula.starts[c]!, formula.starts[c + 1]!]
    if (end - start > MOST_MEMBERS) continue
    const steps = formula.steps.slice(start, end)
    const key = `${formula.masks[c]} ${formula.emptyRows[c]} ${steps.join()}`
    let parities = known.get(key)
    if (parities === undefined) {
      parities = paritiesOf(formula.masks[c]!, formula.emptyRows[c]!, steps)
      known.set(key, parities)
    }
    if (parities.length === 0) continue
    const members = formula.members.slice(start, end)
    const equations = parities.map(([chosen, sum]) => ({
      variables: Array.from(members).filter((_, at) => (chosen >> at) & 1),
      sum,
    }))
    all.push({ weight: formula.weights[c]!, equations })
  }
  return all
}

/** The sets of members, as bits, whose sum is the same in every satisfying assignment; none if nothing satisfies it. */
function paritiesOf(
  mask: number,
  emptyRow: number,
  steps: Int32Array,
): readonly (readonly [members: number, sum: number])[] {
  const satisfying: number[] = []
  for (let values = 0; values < 1 << steps.length; values++) {
    const row = steps.reduce((sum, step, at) => sum + ((values >> at) & 1) * step, emptyRow)
    if (holds(mask, row) === 1) satisfying.push(values)
  }
  const [first] = satisfying
  if (first === undefined) return []
  const found: (readonly [number, number])[] = []
  for (let chosen = 1; chosen < 1 << steps.length; chosen++) {
    const sum = parity(first & chosen)
    if (satisfying.every((values) => parity(values & chosen) === sum)) found.push([chosen, sum])
  }
  return found
}

/** The elimination in one order. `consistent`: every equation was added, or follows from those that were. */
function solveInOrder(
  variables: number,
  implied: readonly Implied[],
  from: Uint8Array,
  budget: number,
): { readonly values: Uint8Array; readonly consistent: boolean; readonly words: number } {
  // A row has a bit for each variable and one, the last, for the sum.
  const width = (variables >> 5) + 1
  const pivots = new Map<number, Uint32Array>()
  let consistent = true
  let left = budget
  for (const [index, { equations }] of implied.entries()) {
    // Nothing can be added to equations that determine all variables.
    if (pivots.size === variables) {
      const values = valuesOf(pivots, variables, from)
      const rest = implied.slice(index).every((each) => each.equations.every((one) => isMet(one, values)))
      return { values, consistent: consistent && rest, words: budget - left }
    }
    // A constraint is added as a whole or not at all.
    const added: number[] = []
    for (const equation of equations) {
      const row = rowOf(equation, variables, width)
      const pivot = reduce(row, variables, (lead) => {
        left -= width
        return pivots.get(lead)
      })
      if (pivot < variables) {
        pivots.set(pivot, row)
        added.push(pivot)
      } else if (bit(row, variables) === 1) {
        consistent = false
        for (const each of added) pivots.delete(each)
        break
      }
    }
    if (left < 0) return { values: valuesOf(pivots, variables, from), consistent: false, words: budget }
  }
  return { values: valuesOf(pivots, variables, from), consistent, words: budget - left }
}

function isMet({ variables, sum }: Equation, values: Uint8Array): boolean {
  return variables.reduce((found, variable) => found ^ values[variable]!, 0) === sum
}

function rowOf({ variables: members, sum }: Equation, variables: number, width: number): Uint32Array {
  const row = new Uint32Array(width)
  for (const member of members) row[member >> 5]! ^= 1 << (member & 31)
  if (sum === 1) row[variables >> 5]! ^= 1 << (variables & 31)
  return row
}

/**
 * Subtracts the rows that `rowAt` returns from a row until none of them has its lowest variable. Returns this variable;
 * `variables` if none is left.
 */
function reduce(row: Uint32Array, variables: number, rowAt: (lead: number) => Uint32Array | undefined): number {
  for (let word = 0; word < row.length; word++) {
    while (row[word] !== 0) {
      const lead = (word << 5) + 31 - Math.clz32(row[word]! & -row[word]!)
      if (lead >= variables) return variables
      const other = rowAt(lead)
      if (other === undefined) return lead
      for (let at = word; at < row.length; at++) row[at]! ^= other[at]!
    }
  }
  return variables
}

/** Back substitution: a row's lowest variable follows from those above it. */
function valuesOf(pivots: ReadonlyMap<number, Uint32Array>, variables: number, from: Uint8Array): Uint8Array {
  const values = from.slice()
  for (const pivot of [...pivots.keys()].sort((a, b) => b - a)) {
    const row = pivots.get(pivot)!
    let sum = bit(row, variables)
    for (let variable = pivot + 1; variable < variables; variable++) sum ^= bit(row, variable) & values[variable]!
    values[pivot] = sum
  }
  return values
}

function bit(row: Uint32Array, at: number): number {
  return (row[at >> 5]! >>> (at & 31)) & 1
}

function parity(bits: number): number {
  let left = bits
  let sum = 0
  for (; left !== 0; left &= left - 1) sum ^= 1
  return sum
}

/** Shuffles a list. */
function shuffle(list: Implied[], random: () => number): void {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const moved = list[last]!
    list[last] = list[other]!
    list[other] = moved
  }
}
