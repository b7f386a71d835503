import { checkWanted, mustBe, nothing } from './check-parts.ts'
import { concatenationOf } from '../functions/lists.ts'
import { concatenation } from '../functions/texts.ts'
import { FormulaError } from '../numbers/formula-error.ts'
import { calculate } from '../numbers/arithmetic.ts'
import { isShort } from '../numbers/exact.ts'
import type { Exact } from '../numbers/exact.ts'
import { membershipAdvice, mismatchAdvice } from './advice.ts'
import type { Program, Scope } from './scope.ts'
import type { Binary, Chain, Expression } from '../syntax/tree.ts'
import type { Typed } from './typed.ts'
import type { Arithmetic } from '../numbers/arithmetic.ts'
import { BOOLEAN, common, fits, INT, isNumeric, nameOf, NUMBER } from './types.ts'
import type { Type } from './types.ts'

export function checkPrefix(operator: '-' | 'not', of: Expression, at: number, scope: Scope, program: Program): Typed {
  if (operator === 'not') {
    return { kind: 'not', type: BOOLEAN, of: checkWanted(of, BOOLEAN, 'What follows "not"', scope, program) }
  }
  const zero: Typed = { kind: 'constant', type: INT, value: 0 }
  return calculation('-', [zero, checkWanted(of, NUMBER, 'What follows "-"', scope, program)], at, program)
}

export function checkBinary(tree: Binary, scope: Scope, program: Program): Typed {
  const { operator, at } = tree
  const side = `Each side of "${operator}"`
  switch (operator) {
    case 'and':
    case 'or': {
      const left = checkWanted(tree.left, BOOLEAN, side, scope, program)
      const right = checkWanted(tree.right, BOOLEAN, side, scope, program)
      return { kind: operator === 'and' ? 'both' : 'either', type: BOOLEAN, left, right }
    }
    case '=':
    case '!=': {
      const left = program.check(tree.left, scope)
      const right = program.check(tree.right, scope)
      if (!common(left.type, right.type)) {
        program.report(
          at,
          `A value of type ${nameOf(left.type)} never equals one of type ${nameOf(right.type)}.`,
          ...mismatchAdvice(left.type, right.type),
        )
      }
      return { kind: 'equal', type: BOOLEAN, negated: operator === '!=', left, right }
    }
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const left = checkWanted(tree.left, NUMBER, side, scope, program)
      const right = checkWanted(tree.right, NUMBER, side, scope, program)
      return { kind: 'order', type: BOOLEAN, operator, left, right }
    }
    case 'in':
      return membership(tree, scope, program)
    case 'not in':
      return { kind: 'not', type: BOOLEAN, of: membership(tree, scope, program) }
    case 'subset': {
      const left = program.check(tree.left, scope)
      const right = program.check(tree.right, scope)
      if (left.type.kind !== 'list' || right.type.kind !== 'list' || !common(left.type, right.type)) {
        const found = `${nameOf(left.type)} and ${nameOf(right.type)}`
        if (left.type.kind !== 'nothing' && right.type.kind !== 'nothing') {
          program.report(at, `Both sides of "subset" must be lists of one type, but these are ${found}.`, undefined, {
            code: 'type-mismatch',
          })
        }
      }
      return { kind: 'subset', type: BOOLEAN, left, right }
    }
    case '..': {
      const low = checkWanted(tree.left, INT, side, scope, program)
      const high = checkWanted(tree.right, INT, side, scope, program)
      return { kind: 'range', type: { kind: 'list', of: INT }, low, high }
    }
    case 'div':
    case 'mod': {
      const left = checkWanted(tree.left, INT, side, scope, program)
      const right = checkWanted(tree.right, INT, side, scope, program)
      return calculation(operator, [left, right], at, program)
    }
    case '+':
      return addition(tree, side, scope, program)
    default: {
      const left = checkWanted(tree.left, NUMBER, side, scope, program)
      const right = checkWanted(tree.right, NUMBER, side, scope, program)
      return calculation(operator, [left, right], at, program)
    }
  }
}

/**
 * `a <= b < c` is `a <= b and b < c`. A middle operand that takes more than a look is computed once, before the comparison
 * to its left.
 */
export function checkChain({ operands, operators }: Chain, scope: Scope, program: Program): Typed {
  const sides = operands.map((operand, i) => {
    const { operator } = operators[Math.min(i, operators.length - 1)]!
    return checkWanted(operand, NUMBER, `Each side of "${operator}"`, scope, program)
  })
  const from = (i: number, left: Typed): Typed => {
    const { operator } = operators[i]!
    const side = sides[i + 1]!
    if (i === operators.length - 1) return { kind: 'order', type: BOOLEAN, operator, left, right: side }
    const named = isLook(side) ? null : program.variable(side.type)
    const middle: Typed = named === null ? side : { kind: 'local', type: side.type, slot: named.slot }
    const first: Typed = { kind: 'order', type: BOOLEAN, operator, left, right: middle }
    const both: Typed = { kind: 'both', type: BOOLEAN, left: first, right: from(i + 1, middle) }
    return named === null ? both : { kind: 'let', type: BOOLEAN, slot: named.slot, value: side, body: both }
  }
  return from(0, sides[0]!)
}

/** True for a name, a constant, and a field or length of them: what `assume` learns of them, it learns of the value. */
function isLook(tree: Typed): boolean {
  switch (tree.kind) {
    case 'constant':
    case 'local':
      return true
    case 'field':
    case 'length':
      return isLook(tree.of)
    default:
      return false
  }
}

/** The sum of two numbers, or two lists or texts joined. */
function addition(
  { left: leftTree, right: rightTree, at }: Binary,
  side: string,
  scope: Scope,
  program: Program,
): Typed {
  const left = program.check(leftTree, scope)
  const right = program.check(rightTree, scope)
  const joins = [left, right].some(({ type: { kind } }) => kind === 'list' || kind === 'text')
  if (!joins) {
    mustBe(left, NUMBER, leftTree.at, side, program)
    mustBe(right, NUMBER, rightTree.at, side, program)
    return calculation('+', [left, right], at, program)
  }
  const type = common(left.type, right.type)
  if (type === null || (type.kind !== 'list' && type.kind !== 'text')) {
    const found = `${nameOf(left.type)} and ${nameOf(right.type)}`
    program.report(at, `"+" adds two numbers, or joins two lists or two texts, but these are ${found}.`, undefined, {
      code: 'type-mismatch',
    })
    return nothing()
  }
  const applied = type.kind === 'text' ? concatenation : concatenationOf(type)
  return { kind: 'apply', type, at, name: '+', applied, args: [left, right] }
}

/** Arithmetic on numeric operands; on constants it is computed at once. */
export function calculation(operator: Arithmetic, args: readonly Typed[], at: number, program: Program): Typed {
  // Elements of `[]` fit any type.
  const whole = args.every(({ type: { kind } }) => kind === 'int' || kind === 'nothing')
  const type: Type = operator === 'floor' || (whole && operator !== '/') ? INT : NUMBER
  const values: Exact[] = []
  for (const arg of args) {
    if (
      arg.kind === 'constant' &&
      isNumeric(arg.type) &&
      typeof arg.value !== 'boolean' &&
      typeof arg.value !== 'string'
    ) {
      values.push(arg.value)
    }
  }
  // Numbers of many digits are left to the evaluation, which has a budget.
  if (values.length === args.length && values.every(isShort)) {
    try {
      return { kind: 'constant', type, value: calculate(operator, values) }
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error
      program.report(at, error.message, undefined, { code: 'no-value' })
    }
  }
  return { kind: 'arithmetic', type, at, operator, args }
}

/** `x in low..high` compares, for any number x; `x in list` searches. */
function membership(tree: Binary, scope: Scope, program: Program): Typed {
  if (tree.right.kind === 'binary' && tree.right.operator === '..') {
    const value = checkWanted(tree.left, NUMBER, 'What is compared with a range', scope, program)
    const low = checkWanted(tree.right.left, NUMBER, 'The low end of a range', scope, program)
    const high = checkWanted(tree.right.right, NUMBER, 'The high end of a range', scope, program)
    return { kind: 'between', type: BOOLEAN, value, low, high }
  }
  const value = program.check(tree.left, scope)
  const list = program.check(tree.right, scope)
  if (list.type.kind !== 'list' ? list.type.kind !== 'nothing' : !fits(value.type, list.type.of)) {
    program.report(
      tree.at,
      value.type.kind === 'nothing'
        ? `Only a list has elements, and a value of type ${nameOf(list.type)} is not a list.`
        : `A value of type ${nameOf(value.type)} cannot be in one of type ${nameOf(list.type)}.`,
      ...membershipAdvice(tree.right, value.type, list.type),
    )
  }
  return { kind: 'member', type: BOOLEAN, value, list }
}
