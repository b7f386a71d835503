import { check } from './checker.ts'
import type { Shape } from '../values/shape.ts'
import { Program, type Watch } from './scope.ts'

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
} from './fraction.ts'
export type { Fraction } from './fraction.ts'
export { checkDefinition, checkDemands } from './check-demands.ts'
export { checkFormula } from './check-parts.ts'
export { compileDemands } from './compile-demands.ts'
export { allowGeneratedCode } from './code-maker.ts'
export type { CodeMaker } from './code-maker.ts'
export { Compiler } from './compiler.ts'
export { evaluate } from './evaluate.ts'
export { exactly, numeral, order, over, toFraction } from './numbers.ts'
export type { Exact } from './numbers.ts'
export type { Program, Scope, Watch } from './scope.ts'
export { FormulaGrammar } from './grammar.ts'
export { badTokens, parseFormula, syntaxFault } from './parser.ts'
export type { Fault } from './parser.ts'
export * as tokens from './tokens.ts'
export type { Definition, Demand, Expression, TypeName } from './tree.ts'
export { BOOLEAN, INT, nameOf, NUMBER, typeOf } from './types.ts'
export type { Type } from './types.ts'
export { Unreadable } from './unreadable.ts'
export { show } from './value.ts'
export type { Value } from './value.ts'

/** An empty program. `classes`: resolves type names in definitions, except int, number, boolean and text. */
export function newProgram(classes: (name: string) => Shape | null, watch: Watch | null = null): Program {
  return new Program(classes, check, watch)
}
