import { fraction, type Fraction } from '../../../grammars/formulas/numbers/fraction.ts'

/** The row player mixes rows to minimise the payoff, the column player mixes columns to maximise it. */
export interface GameSolution {
  readonly value: Fraction
  readonly rows: readonly Fraction[]
  readonly columns: readonly Fraction[]
}

/**
 * Solves a zero-sum matrix game exactly. `matrix[i][j]` is what row i pays column j; at least one row and one column.
 * Simplex with integer pivots (all entries share one denominator) and Bland's rule against cycling.
 */
export function solveGame(matrix: readonly (readonly bigint[])[]): GameSolution {
  const rows = matrix.length
  const columns = matrix[0]!.length
  let low = matrix[0]![0]!
  for (const line of matrix) for (const entry of line) if (entry < low) low = entry
  // All entries are at least 1, so the value is positive: maximise the sum of x subject to x B <= 1, then t = x / sum.
  const shift = 1n - low
  const width = rows + columns + 1
  const tableau: bigint[][] = []
  const basis: number[] = []
  for (let j = 0; j < columns; j++) {
    const line = new Array<bigint>(width).fill(0n)
    for (let i = 0; i < rows; i++) line[i] = matrix[i]![j]! + shift
    line[rows + j] = 1n
    line[width - 1] = 1n
    tableau.push(line)
    basis.push(rows + j)
  }
  const goal = new Array<bigint>(width).fill(0n)
  for (let i = 0; i < rows; i++) goal[i] = -1n
  tableau.push(goal)

  let unit = 1n
  for (;;) {
    const entering = goal.findIndex((entry, at) => at < width - 1 && entry < 0n)
    if (entering < 0) break
    let leaving = -1
    for (let j = 0; j < columns; j++) {
      const entry = tableau[j]![entering]!
      if (entry <= 0n) continue
      if (leaving < 0) leaving = j
      else {
        const difference =
          tableau[j]![width - 1]! * tableau[leaving]![entering]! - tableau[leaving]![width - 1]! * entry
        if (difference < 0n || (difference === 0n && basis[j]! < basis[leaving]!)) leaving = j
      }
    }
    const pivotLine = tableau[leaving]!
    const pivot = pivotLine[entering]!
    for (const line of tableau) {
      if (line === pivotLine) continue
      const factor = line[entering]!
      for (let at = 0; at < width; at++) line[at] = (line[at]! * pivot - factor * pivotLine[at]!) / unit
    }
    unit = pivot
    basis[leaving] = entering
  }

  const total = goal[width - 1]!
  const mix = new Array<bigint>(rows).fill(0n)
  basis.forEach((variable, j) => {
    if (variable < rows) mix[variable] = tableau[j]![width - 1]!
  })
  return {
    value: fraction(unit - shift * total, total),
    rows: mix.map((entry) => fraction(entry, total)),
    columns: goal.slice(rows, rows + columns).map((entry) => fraction(entry, total)),
  }
}
