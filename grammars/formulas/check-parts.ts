import { tooDeepAt } from './depth.ts'
import { DEEPEST_RUN, extentOf } from './extent.ts'
import { extended } from './scope.ts'
import type { Program, Scope } from './scope.ts'
import type { Expression, Loop } from './tree.ts'
import type { Typed, TypedLoop } from './typed.ts'
import { BOOLEAN, common, fits, INT, nameOf, NOTHING } from './types.ts'
import type { Type } from './types.ts'

/**
 * Types a formula. What is wrong is reported to the program; the tree that comes back may be compiled only where nothing
 * was. `wanted`: the type that the formula must have.
 */
export function checkFormula(tree: Expression, wanted: Type, what: string, scope: Scope, program: Program): Typed {
  const deep = tooDeepAt(tree)
  if (deep !== null) {
    program.report(deep, 'This nests too deeply or is too long; name a part of it with define or let.')
    return nothing()
  }
  const typed = checkWanted(tree, wanted, what, scope, program)
  if (extentOf(typed).depth <= DEEPEST_RUN) return typed
  program.report(tree.at, 'The functions that this calls call others too many levels deep.')
  return nothing()
}

/** Types a part of a formula that must be of a type; `what` begins the sentence where it is not. */
export function checkWanted(tree: Expression, wanted: Type, what: string, scope: Scope, program: Program): Typed {
  const typed = program.check(tree, scope)
  if (!fits(typed.type, wanted)) {
    program.report(tree.at, `${what} must be of type ${nameOf(wanted)}, but this is of type ${nameOf(typed.type)}.`)
  }
  return typed
}

/** Types a loop's source and filter; the scope that comes back has its variables. */
export function checkLoop(loop: Loop, scope: Scope, program: Program): { loop: TypedLoop; scope: Scope } {
  const source = program.check(loop.source, scope)
  const variable = program.variable(elementType(source.type, loop.source.at, program))
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

/** The scope with one more name. One that is known already is reported: formulas are easier to read without shadows. */
export function bound(
  name: string,
  variable: { slot: number; type: Type },
  at: number,
  scope: Scope,
  program: Program,
): Scope {
  if (scope.has(name)) program.report(at, `"${name}" already has a meaning here; choose another name.`)
  return extended(scope, name, variable)
}

/** The type that two parts of one thing share, reported where there is none. */
export function agreed(a: Type, b: Type, at: number, what: string, program: Program): Type {
  const type = common(a, b)
  if (type) return type
  program.report(at, `${what} must be of one type, but these are ${nameOf(a)} and ${nameOf(b)}.`)
  return NOTHING
}

/** What stands for a formula that has been reported as wrong. */
export function nothing(): Typed {
  return { kind: 'constant', type: NOTHING, value: false }
}

export function elementType(type: Type, at: number, program: Program): Type {
  if (type.kind === 'list') return type.of
  if (type.kind !== 'nothing') program.report(at, `A list is wanted here, but this is of type ${nameOf(type)}.`)
  return NOTHING
}
