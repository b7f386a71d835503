import type { ChainOperator, Expression, Operator } from './tree.ts'
import { tooDeep, Unreadable } from './syntax-errors.ts'

/** An operand with the prefix operators before it, outermost first. */
export interface PrefixedOperand {
  readonly prefixes: readonly { readonly operator: '-' | 'not'; readonly at: number }[]
  readonly of: Expression
}

/** The precedence of operators; ranges do not chain, and comparisons only if they order in one direction. */
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
export function climb(operands: readonly PrefixedOperand[], operators: readonly PlacedOperator[]): Expression {
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
      left = chained(left, found, right)
      // Other comparisons and ranges do not chain, so a following operator must bind more weakly.
      strongest = binding === COMPARISON || binding === RANGE ? binding - 1 : binding
    }
  }

  /** `left operator right`, with the comparisons that follow in the same direction. */
  function chained(left: Expression, first: PlacedOperator, right: Expression): Expression {
    const comparisons = [first]
    const compared = [left, right]
    const direction = directionOf(first.operator)
    for (let following = operators[next]; direction !== null && following; following = operators[next]) {
      if (directionOf(following.operator) !== direction) break
      comparisons.push(following)
      next++
      compared.push(chain(COMPARISON + 1))
    }
    if (comparisons.length === 1) return { kind: 'binary', at: first.at, operator: first.operator, left, right }
    return { kind: 'chain', at: first.at, operands: compared, operators: comparisons as readonly PlacedComparison[] }
  }

  const tree = chain(OR)
  const left = operators[next]
  if (left) throw new Unreadable(left.at, `"${left.operator}" cannot follow another one; use "and" or parentheses.`)
  return tree
}

type PlacedOperator = { readonly operator: Operator; readonly at: number }
type PlacedComparison = { readonly operator: ChainOperator; readonly at: number }

function directionOf(operator: Operator): 'up' | 'down' | null {
  if (operator === '<' || operator === '<=') return 'up'
  return operator === '>' || operator === '>=' ? 'down' : null
}
