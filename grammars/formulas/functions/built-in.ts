import type { Extreme } from '../cost/extremes.ts'
import type { Type } from '../checking/types.ts'
import { nameOf } from '../checking/types.ts'
import type { Value } from '../numbers/value.ts'
import type { Frame } from '../running/frame.ts'

/** A function of the language: its types, its work, its price and its line in docs/language.md, all in one place. */
export interface BuiltIn {
  readonly name: string
  /** How it is called, such as `sort(list)`. */
  readonly call: string
  readonly meaning: string
  /** The steps that a call takes, in words. */
  readonly steps: string
  /** The numbers of arguments that it accepts. */
  readonly takes: readonly number[]
  /** The meaning for arguments of these types. */
  resolve(args: readonly Type[]): Applied | Misfit
}

/** A function for arguments of certain types. */
export interface Applied {
  readonly type: Type
  /** Takes its steps from the frame's budget. Throws a FormulaError, without a place, if a value is missing. */
  run(frame: Frame, args: readonly Value[]): Value
  /** The most steps, and all results, for all values that the arguments can have. */
  most(args: readonly Extreme[]): Bound
  /** Refines the arguments in place, if the result is true. */
  assume?(args: readonly Extreme[]): void
}

interface Bound {
  readonly steps: number
  readonly value: Extreme
}

/** An argument, counted from 0, of a type that the function does not take. */
export interface Misfit {
  readonly argument: number
  readonly message: string
  readonly hint?: string
}

export function misfit(name: string, argument: number, wanted: string, found: Type, hint?: string): Misfit {
  const message = `${name}(...) takes ${wanted} here, but this is of type ${nameOf(found)}.`
  return hint === undefined ? { argument, message } : { argument, message, hint }
}
