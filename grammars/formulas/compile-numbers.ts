import { binary, calculate } from './arithmetic.ts'
import { FormulaError } from './formula-error.ts'
import type { Code, Frame } from './frame.ts'
import { minus, order, plus, times } from './numbers.ts'
import type { Exact } from './numbers.ts'
import type { Arithmetic, Order, Typed } from './typed.ts'

interface CompilesParts {
  compile(tree: Typed): Code
}

/** Sums, differences and products have their common case, small integers, in the closure itself. */
export function compileArithmetic(
  operator: Arithmetic,
  args: readonly Typed[],
  at: number,
  compiler: CompilesParts,
): Code {
  const codes = args.map((arg) => compiler.compile(arg))
  const [left, right] = codes
  if (!left || !right || codes.length > 2)
    return placed(at, (f) =>
      calculate(
        operator,
        codes.map((code) => code(f) as Exact),
      ),
    )
  const largest = Number.MAX_SAFE_INTEGER
  switch (operator) {
    case '+':
      return (f) => {
        const a = left(f) as Exact
        const b = right(f) as Exact
        if (typeof a === 'number' && typeof b === 'number') {
          const sum = a + b
          if (sum <= largest && sum >= -largest) return sum
        }
        return plus(a, b)
      }
    case '-':
      return (f) => {
        const a = left(f) as Exact
        const b = right(f) as Exact
        if (typeof a === 'number' && typeof b === 'number') {
          const difference = a - b
          if (difference <= largest && difference >= -largest) return difference
        }
        return minus(a, b)
      }
    case '*':
      return (f) => {
        const a = left(f) as Exact
        const b = right(f) as Exact
        if (typeof a === 'number' && typeof b === 'number') {
          const product = a * b
          if (product <= largest && product >= -largest) return product + 0
        }
        return times(a, b)
      }
    case 'abs':
    case 'floor':
      throw new TypeError(`${operator} takes one number.`)
    default: {
      const compute = binary[operator]
      return placed(at, (f) => compute(left(f) as Exact, right(f) as Exact))
    }
  }
}

export function compileOrder(operator: Order, leftTree: Typed, rightTree: Typed, compiler: CompilesParts): Code {
  const left = compiler.compile(leftTree)
  const right = compiler.compile(rightTree)
  const difference = (f: Frame): number => order(left(f) as Exact, right(f) as Exact)
  switch (operator) {
    case '<':
      return (f) => difference(f) < 0
    case '<=':
      return (f) => difference(f) <= 0
    case '>':
      return (f) => difference(f) > 0
    case '>=':
      return (f) => difference(f) >= 0
  }
}

/** Gives errors that know no place this one. */
function placed(at: number, code: Code): Code {
  return (f) => {
    try {
      return code(f)
    } catch (error) {
      if (error instanceof FormulaError && error.at === null) throw new FormulaError(error.message, at)
      throw error
    }
  }
}
