import type { Code } from './frame.ts'
import { orderFor } from './number-work.ts'
import type { Exact } from '../numbers/exact.ts'
import { calculateAt, computeAt } from './placed.ts'
import type { Order, Typed } from '../checking/typed.ts'
import type { Arithmetic } from '../numbers/arithmetic.ts'

interface CompilesParts {
  compile(tree: Typed): Code
}

const LARGEST = Number.MAX_SAFE_INTEGER

/**
 * Compiles arithmetic. The closures of sums, differences and products handle small integers, the common case, directly.
 */
export function compileArithmetic(
  operator: Arithmetic,
  args: readonly Typed[],
  at: number,
  compiler: CompilesParts,
): Code {
  const codes = args.map((arg) => compiler.compile(arg))
  const [left, right] = codes
  if (left && !right) {
    return (f) => {
      const a = left(f) as Exact
      return operator === 'abs' && typeof a === 'number' ? Math.abs(a) : calculateAt(f, operator, [a], at)
    }
  }
  if (!left || !right || codes.length > 2 || operator === 'abs' || operator === 'floor') {
    return (f) => {
      const values = codes.map((code) => code(f) as Exact)
      return calculateAt(f, operator, values, at)
    }
  }
  switch (operator) {
    case '+':
      return (f) => {
        const a = left(f) as Exact
        const b = right(f) as Exact
        if (typeof a === 'number' && typeof b === 'number') {
          const sum = a + b
          if (sum <= LARGEST && sum >= -LARGEST) return sum
        }
        return computeAt(f, '+', a, b, at)
      }
    case '-':
      return (f) => {
        const a = left(f) as Exact
        const b = right(f) as Exact
        if (typeof a === 'number' && typeof b === 'number') {
          const difference = a - b
          if (difference <= LARGEST && difference >= -LARGEST) return difference
        }
        return computeAt(f, '-', a, b, at)
      }
    case '*':
      return compileProduct(left, right, smallConstant(args[0]), at)
    default:
      return (f) => {
        const a = left(f) as Exact
        return computeAt(f, operator, a, right(f) as Exact, at)
      }
  }
}

function compileProduct(left: Code, right: Code, factor: number | null, at: number): Code {
  if (factor !== null) {
    return (f) => {
      const b = right(f) as Exact
      if (typeof b === 'number') {
        const product = factor * b
        if (product <= LARGEST && product >= -LARGEST) return product + 0
      }
      return computeAt(f, '*', factor, b, at)
    }
  }
  return (f) => {
    const a = left(f) as Exact
    const b = right(f) as Exact
    if (typeof a === 'number' && typeof b === 'number') {
      const product = a * b
      if (product <= LARGEST && product >= -LARGEST) return product + 0
    }
    return computeAt(f, '*', a, b, at)
  }
}

export function compileOrder(operator: Order, leftTree: Typed, rightTree: Typed, compiler: CompilesParts): Code {
  const left = compiler.compile(leftTree)
  const right = compiler.compile(rightTree)
  switch (operator) {
    case '<':
      return (f) => orderFor(f, left(f) as Exact, right(f) as Exact) < 0
    case '<=':
      return (f) => orderFor(f, left(f) as Exact, right(f) as Exact) <= 0
    case '>':
      return (f) => orderFor(f, left(f) as Exact, right(f) as Exact) > 0
    case '>=':
      return (f) => orderFor(f, left(f) as Exact, right(f) as Exact) >= 0
  }
}

/** Compiles low <= value <= high. Optimized for a constant low end, the most frequent case. */
export function compileBetween(valueTree: Typed, lowTree: Typed, highTree: Typed, compiler: CompilesParts): Code {
  const value = compiler.compile(valueTree)
  const low = compiler.compile(lowTree)
  const high = compiler.compile(highTree)
  const least = smallConstant(lowTree)
  if (least !== null) {
    return (f) => {
      const v = value(f) as Exact
      const b = high(f) as Exact
      if (typeof v === 'number' && typeof b === 'number') return least <= v && v <= b
      // Both comparisons take their steps, whatever the first one says.
      const above = orderFor(f, least, v) <= 0
      return orderFor(f, v, b) <= 0 && above
    }
  }
  return (f) => {
    const v = value(f) as Exact
    return orderFor(f, low(f) as Exact, v) <= 0 && orderFor(f, v, high(f) as Exact) <= 0
  }
}

/** The value of a constant integer, or null. */
export function smallConstant(tree: Typed | undefined): number | null {
  return tree?.kind === 'constant' && typeof tree.value === 'number' ? tree.value : null
}
