import { floor, minus, order, over, plus, quotient, remainder, times } from './exact.ts'
import type { Exact } from './exact.ts'

/** The operators and functions that take numbers and give one. */
export type Arithmetic = '+' | '-' | '*' | '/' | 'div' | 'mod' | 'abs' | 'floor' | 'min' | 'max'

/** The functions of the binary operators; those below, of the unary ones. */
export const binary: Readonly<Record<Exclude<Arithmetic, 'abs' | 'floor'>, (a: Exact, b: Exact) => Exact>> = {
  '+': plus,
  '-': minus,
  '*': times,
  '/': over,
  div: quotient,
  mod: remainder,
  min: (a, b) => (order(a, b) <= 0 ? a : b),
  max: (a, b) => (order(a, b) >= 0 ? a : b),
}

/** Applies an operator to one or more arguments. */
export function calculate(operator: Arithmetic, args: readonly Exact[]): Exact {
  const [first = 0, ...others] = args
  switch (operator) {
    case 'abs':
      return order(first, 0) < 0 ? minus(0, first) : first
    case 'floor':
      return floor(first)
    default:
      return others.reduce(binary[operator], first)
  }
}
