/**
 * Raw material in the form that the solvers use, the same for relations and clauses. Every constraint has a current
 * row, the sum of the steps of its true variables; it is satisfied if its mask has that row's bit. A relation's rows
 * are those of its truth table; a clause's row is the number of its true literals.
 */
export interface Formula {
  readonly variables: number
  readonly constraints: number
  readonly totalWeight: number
  readonly weights: Float64Array
  readonly masks: Int32Array
  /** The row of each constraint when all variables are false. */
  readonly emptyRows: Int32Array
  /** The members of constraint c: indices starts[c] to starts[c + 1] of members and steps. Variables count from 0. */
  readonly starts: Int32Array
  readonly members: Int32Array
  readonly steps: Int32Array
  /**
   * The indices (as above) where variable v occurs: visits[v] to visits[v + 1] of places; `owners` is the constraint.
   */
  readonly visits: Int32Array
  readonly places: Int32Array
  readonly owners: Int32Array
}

/** One constraint: `members` from 0, one step each. */
export interface Part {
  readonly weight: number
  readonly mask: number
  readonly emptyRow: number
  readonly members: readonly number[]
  readonly steps: readonly number[]
}

/** Every row except row 0, for any number of rows: a clause. */
export const CLAUSE_MASK = -2

/** A relation of three variables; the first is the high bit of the row. */
export function relationPart(relation: number, members: readonly number[], weight: number): Part {
  return { weight, mask: relation, emptyRow: 0, members, steps: [4, 2, 1] }
}

/** A clause of literals: variable v from 1, negative when negated. */
export function clausePart(literals: readonly number[], weight: number): Part {
  return {
    weight,
    mask: CLAUSE_MASK,
    emptyRow: literals.filter((literal) => literal < 0).length,
    members: literals.map((literal) => Math.abs(literal) - 1),
    steps: literals.map(Math.sign),
  }
}

export function formulaOf(variables: number, parts: readonly Part[]): Formula {
  const size = parts.reduce((sum, part) => sum + part.members.length, 0)
  const starts = new Int32Array(parts.length + 1)
  const members = new Int32Array(size)
  const steps = new Int32Array(size)
  const owner = new Int32Array(size)
  let place = 0
  parts.forEach((part, c) => {
    part.members.forEach((member, at) => {
      members[place] = member
      steps[place] = part.steps[at]!
      owner[place] = c
      place++
    })
    starts[c + 1] = place
  })
  const visits = new Int32Array(variables + 1)
  for (const member of members) visits[member + 1]! += 1
  for (let v = 0; v < variables; v++) visits[v + 1]! += visits[v]!
  const next = visits.slice(0, variables)
  const places = new Int32Array(size)
  const owners = new Int32Array(size)
  members.forEach((member, at) => {
    const slot = next[member]!++
    places[slot] = at
    owners[slot] = owner[at]!
  })
  return {
    variables,
    constraints: parts.length,
    totalWeight: parts.reduce((sum, part) => sum + part.weight, 0),
    weights: Float64Array.from(parts, (part) => part.weight),
    masks: Int32Array.from(parts, (part) => part.mask),
    emptyRows: Int32Array.from(parts, (part) => part.emptyRow),
    starts,
    members,
    steps,
    visits,
    places,
    owners,
  }
}

/** 1 if the row satisfies the mask. Rows above 31 occur only in long clauses and satisfy them. */
export function holds(mask: number, row: number): number {
  return (mask >> (row > 31 ? 31 : row)) & 1
}

/** An assignment and the weight that it satisfies. */
export interface Solved {
  readonly values: Uint8Array
  readonly satisfied: number
}

/** The rows of all constraints under an assignment. */
export function rowsOf(formula: Formula, values: ArrayLike<number>): Int32Array {
  const rows = formula.emptyRows.slice()
  for (let c = 0; c < formula.constraints; c++) {
    for (let place = formula.starts[c]!; place < formula.starts[c + 1]!; place++) {
      if (values[formula.members[place]!] === 1) rows[c]! += formula.steps[place]!
    }
  }
  return rows
}

/** The first `met` constraints that an assignment satisfies, and the first `unmet` that it does not. */
export function plantedIn(formula: Formula, values: ArrayLike<number>, met: number, unmet: number): Formula {
  const rows = rowsOf(formula, values)
  const parts: Part[] = []
  const room = [unmet, met]
  for (let c = 0; c < formula.constraints && parts.length < met + unmet; c++) {
    const satisfied = holds(formula.masks[c]!, rows[c]!)
    if (room[satisfied]! === 0) continue
    room[satisfied]! -= 1
    const [start, end] = [formula.starts[c]!, formula.starts[c + 1]!]
    parts.push({
      weight: formula.weights[c]!,
      mask: formula.masks[c]!,
      emptyRow: formula.emptyRows[c]!,
      members: Array.from(formula.members.subarray(start, end)),
      steps: Array.from(formula.steps.subarray(start, end)),
    })
  }
  return formulaOf(formula.variables, parts)
}

/** The weight that an assignment satisfies. */
export function satisfiedWeight(formula: Formula, values: ArrayLike<number>): number {
  const rows = rowsOf(formula, values)
  let sum = 0
  for (let c = 0; c < formula.constraints; c++) sum += formula.weights[c]! * holds(formula.masks[c]!, rows[c]!)
  return sum
}
