import type { TypedFunction } from '../checking/typed.ts'
import type { Value } from '../numbers/value.ts'

/** The text that the functions of one generated program share. */
export interface ProgramText {
  /** Lines of the functions that the main one calls. */
  readonly functions: string[]
  /** Their names. */
  readonly names: Map<TypedFunction, string>
  /** The values of `k0`, `k1` ... in the text. */
  readonly constants: Value[]
  /** A name that is unique in the program. */
  fresh(letter: string): string
}

export function programText(): ProgramText {
  let count = 0
  return { functions: [], names: new Map(), constants: [], fresh: (letter) => `${letter}${count++}` }
}

/** A variable or literal for a value. `small`: certainly a safe integer, not a fraction. */
export interface Operand {
  readonly text: string
  readonly small: boolean
}
