import type { TypedFunction } from './typed.ts'
import type { Value } from './value.ts'

/** What the functions of one generated program share. */
export interface ProgramText {
  /** Lines of the functions that the main one calls. */
  readonly functions: string[]
  /** Their names. */
  readonly names: Map<TypedFunction, string>
  /** Values that are `k0`, `k1` ... in the text. */
  readonly constants: Value[]
  /** A name that nothing else in the program has. */
  fresh(letter: string): string
}

export function programText(): ProgramText {
  let count = 0
  return { functions: [], names: new Map(), constants: [], fresh: (letter) => `${letter}${count++}` }
}

/** A variable or literal that stands for a value. `small`: certainly a safe integer, and no fraction. */
export interface Operand {
  readonly text: string
  readonly small: boolean
}
