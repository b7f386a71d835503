import { tooDeepAt } from '../syntax/depth.ts'
import { DEEPEST_RUN, extentOf } from './extent.ts'
import { holds } from './recursion.ts'
import { mismatchAdvice } from './advice.ts'
import { extended } from './scope.ts'
import type { Program, Scope } from './scope.ts'
import type { Expression, Loop } from '../syntax/tree.ts'
import type { Typed, TypedLoop } from './typed.ts'
import { BOOLEAN, common, fits, INT, nameOf, NOTHING } from './types.ts'
import type { Type } from './types.ts'

/**
 * Checks the types of a formula. Problems are reported to the program; compile the returned tree only if there are
 * none. `wanted`: the type that the formula must have.
 */
export function checkFormula(tree: Expression, wanted: Type, what: string, scope: Scope, program: Program): Typed {
  const deep = tooDeepAt(tree)
  if (deep !== null) {
    program.report(deep, 'This nests too deeply or is too long; name a part of it with define or let.', undefined, {
      code: 'too-deep',
    })
    return nothing()
  }
  const typed = checkWanted(tree, wanted, what, scope, program)
  if (extentOf(typed).depth <= DEEPEST_RUN) return typed
  program.report(tree.at, 'The functions that this calls call others too many levels deep.', undefined, {
    code: 'too-deep',
  })
  return nothing()
}

/** Checks a part of a formula that must have a given type; `what` begins the message if it has not. */
export function checkWanted(tree: Expression, wanted: Type, what: string, scope: Scope, program: Program): Typed {
  const typed = program.check(tree, scope)
  mustBe(typed, wanted, tree.at, what, program)
  return typed
}

/** Reports a part that does not have the wanted type. */
export function mustBe(typed: Typed, wanted: Type, at: number, what: string, program: Program): void {
  if (fits(typed.type, wanted)) return
  const message = `${what} must be of type ${nameOf(wanted)}, but this is of type ${nameOf(typed.type)}.`
  program.report(at, message, ...mismatchAdvice(typed.type, wanted))
}

/** Checks the types of a loop's source and filter; the returned scope contains its variables. */
export function checkLoop(loop: Loop, scope: Scope, program: Program): { loop: TypedLoop; scope: Scope } {
  const source = program.check(loop.source, scope)
  const variable = program.variable(elementType(source.type, loop.source.at, program))
  holds(variable.slot, source, program, true)
  let inner = bound(loop.variable, variable, loop.at, scope, program)
  let indexSlot: number | null = null
  if (loop.index !== null) {
    const index = program.variable(INT)
    indexSlot = index.slot
    inner = bound(loop.index, index, loop.at, inner, program)
  }
  const filter = loop.filter && checkWanted(loop.filter, BOOLEAN, 'What follows "where"', inner, program)
  return { loop: { slot: variable.slot, indexSlot, source, filter }, scope: inner }
}

/**
 * The scope with one more name. A name that is already known is reported: formulas are easier to read without
 * shadowing.
 */
export function bound(
  name: string,
  variable: { slot: number; type: Type },
  at: number,
  scope: Scope,
  program: Program,
): Scope {
  if (scope.has(name))
    program.report(at, `"${name}" already has a meaning here; choose another name.`, undefined, { code: 'name-taken' })
  return extended(scope, name, variable)
}

/** The common type of two parts; if there is none, that is reported. */
export function agreed(a: Type, b: Type, at: number, what: string, program: Program): Type {
  const type = common(a, b)
  if (type) return type
  program.report(at, `${what} must be of one type, but these are ${nameOf(a)} and ${nameOf(b)}.`, undefined, {
    code: 'type-mismatch',
  })
  return NOTHING
}

/** The placeholder for a formula with reported problems. */
export function nothing(): Typed {
  return { kind: 'constant', type: NOTHING, value: false }
}

const LIST: Type = { kind: 'list', of: NOTHING }

export function elementType(type: Type, at: number, program: Program): Type {
  if (type.kind === 'list') return type.of
  if (type.kind !== 'nothing') {
    program.report(at, `A list is expected here, but this is of type ${nameOf(type)}.`, ...mismatchAdvice(type, LIST))
  }
  return NOTHING
}
