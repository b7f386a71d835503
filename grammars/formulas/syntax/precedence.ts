import type { Expression, Operator } from './tree.ts'
import { tooDeep, Unreadable } from './syntax-errors.ts'

/** An operand with the prefix operators before it, outermost first. */
export interface PrefixedOperand {
  readonly prefixes: readonly { readonly operator: '-' | 'not'; readonly at: number }[]
  readonly of: Expression
}

/** The precedence of operators; those of `COMPARISON` and `RANGE` do not chain. */
const OR = 1
const AND = 2
const NOT = 3
const COMPARISON = 4
const RANGE = 5
const SUM = 6
const PRODUCT = 7
const SIGN = 8

const BINDING: Readonly<Record<Operator, number>> = {
  or: OR,
  and: AND,
  '=': COMPARISON,
  '!=': COMPARISON,
  '<': COMPARISON,
  '<=': COMPARISON,
  '>': COMPARISON,
  '>=': COMPARISON,
  in: COMPARISON,
  'not in': COMPARISON,
  subset: COMPARISON,
  '..': RANGE,
  '+': SUM,
  '-': SUM,
  '*': PRODUCT,
  '/': PRODUCT,
  div: PRODUCT,
  mod: PRODUCT,
}

/** Maximum number of operators and prefixes in an expression, because the tree must not be too deep for recursion. */
const LONGEST = 300

/** Builds the tree of `operands[0] operators[0] operands[1] ...` by precedence. Throws Unreadable. */
export function climb(
  operands: readonly PrefixedOperand[],
  operators: readonly { readonly operator: Operator; readonly at: number }[],
): Expression {
  const prefixes = operands.reduce((sum, operand) => sum + operand.prefixes.length, 0)
  if (operators.length + prefixes > LONGEST) throw tooDeep(operators[0]?.at ?? operands[0]?.prefixes[0]?.at ?? 0)
  let next = 0

  function operand(prefix: number): Expression {
    const { prefixes, of } = operands[next] as PrefixedOperand
    const sign = prefixes[prefix]
    if (!sign) return of
    // `-a * b` is `(-a) * b`, but `not a = b` is `not (a = b)`.
    const inner = sign.operator === 'not' ? chain(NOT, prefix + 1) : operand(prefix + 1)
    return { kind: 'prefix', at: sign.at, operator: sign.operator, of: inner }
  }

  function chain(weakest: number, prefix = 0): Expression {
    let left = operand(prefix)
    for (let strongest = SIGN; ;) {
      const found = operators[next]
      if (!found) return left
      const binding = BINDING[found.operator]
      if (binding < weakest || binding > strongest) return left
      next++
      const right = chain(binding + 1)
      left = { kind: 'binary', at: found.at, operator: found.operator, left, right }
      // Comparisons and ranges do not chain, so a following operator must bind more weakly.
      strongest = binding === COMPARISON || binding === RANGE ? binding - 1 : binding
    }
  }

  const tree = chain(OR)
  const left = operators[next]
  if (left) throw new Unreadable(left.at, `"${left.operator}" cannot follow another one; use "and" or parentheses.`)
  return tree
}
