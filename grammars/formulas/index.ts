import { check } from './checking/checker.ts'
import type { Shape } from '../values/shape.ts'
import { Program, type Watch } from './checking/scope.ts'

export {
  add,
  compare,
  divide,
  floorOf,
  fraction,
  fromDecimal,
  fromText,
  multiply,
  subtract,
  toNumber,
  toText,
} from './numbers/fraction.ts'
export type { Fraction } from './numbers/fraction.ts'
export { checkDefinition, checkDemands } from './checking/check-demands.ts'
export { checkFormula } from './checking/check-parts.ts'
export { compileDemands } from './running/evaluate.ts'
export { Compiler } from './running/compiler.ts'
export { draws } from './drawing/draws.ts'
export { LIST_STEPS, spend } from './running/frame.ts'
export { exactlyFor } from './running/number-work.ts'
export { textSteps } from './functions/prices.ts'
export type { Frame } from './running/frame.ts'
export { LimitError } from './numbers/formula-error.ts'
export { misfit } from './functions/built-in.ts'
export type { BuiltIn } from './functions/built-in.ts'
export { extremeOf, numberFrom } from './cost/extremes.ts'
export type { Extreme } from './cost/extremes.ts'
export { assume, assumeDistinct } from './cost/assume.ts'
export { worstCase } from './cost/worst-case.ts'
export type { Slots } from './cost/worst-case.ts'
export { evaluate, STEPS, stepsTaken } from './running/evaluate.ts'
export { exactly, numeral, order, over, toFraction } from './numbers/exact.ts'
export type { Exact } from './numbers/exact.ts'
export type { Program, Scope, Watch } from './checking/scope.ts'
export { FormulaGrammar } from './syntax/grammar.ts'
export { badTokens, parseFormula, syntaxFault } from './syntax/parser.ts'
export type { FormulaFault } from './syntax/fault.ts'
export * as tokens from './syntax/tokens.ts'
export type { Definition, Demand, Expression, Loop, TypeName } from './syntax/tree.ts'
export { BOOLEAN, fits, INT, nameOf, NOTHING, NUMBER, typeOf } from './checking/types.ts'
export type { Type } from './checking/types.ts'
export type { Typed, TypedDemand, TypedLoop } from './checking/typed.ts'
export { Unreadable } from './syntax/syntax-errors.ts'
export { isFraction, show } from './numbers/value.ts'
export type { Value } from './numbers/value.ts'

/** An empty program. `classes`: resolves type names in definitions, except int, number, boolean and text. */
export function newProgram(classes: (name: string) => Shape | null, watch: Watch | null = null): Program {
  return new Program(classes, check, watch)
}
