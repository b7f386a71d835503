import type { Position } from '../problem.ts'

/**
 * A class dictionary as it was written: plain data, one tree for every dialect, with the place of every name. The names
 * are the text's own; nothing is resolved here.
 */
export interface Dictionary {
  readonly dialect: 'C'
  readonly includes: readonly Include[]
  readonly using: readonly NameDef[]
  readonly package: QualifiedName | null
  readonly lookahead: { readonly value: number; readonly at: Position } | null
  readonly imports: readonly QualifiedName[]
  readonly definitions: readonly Definition[]
  /** Every file reached by includes, each once, in the order of first mention; a missing one is not here. */
  readonly included: readonly IncludedFile[]
}

/** A file that was included, directly or by another. Its dictionary's own `included` is empty: all are listed at the top. */
export interface IncludedFile {
  readonly name: string
  readonly dictionary: Dictionary
}

export type Flag = 'nogen' | 'noparse' | 'extern'

export interface Include {
  readonly flag: Flag | null
  readonly name: string
  readonly at: Position
}

/** `a.b.c` or, with `all`, `a.b.c.*`. */
export interface QualifiedName {
  readonly name: string
  readonly all: boolean
  readonly at: Position
}

/** A type parameter, or a name of a `using` clause. */
export interface NameDef {
  readonly name: string
  readonly at: Position
  readonly bound: TypeUse | null
}

/** A class, a type parameter or a built-in name where it is used, with its type arguments. */
export interface TypeUse {
  readonly name: string
  readonly at: Position
  readonly arguments: readonly TypeUse[]
}

/** A class. With alternatives it is abstract, and its parts are shared by all of them; without it is concrete. */
export interface Definition {
  readonly flag: Flag | null
  readonly isInterface: boolean
  readonly name: string
  readonly at: Position
  readonly parameters: readonly NameDef[]
  readonly alternatives: readonly TypeUse[]
  readonly parts: readonly Part[]
  readonly implements: readonly TypeUse[]
}

export type PrintCommand = '*s' | '*t' | '*l' | '*r' | '+' | '-'

/** `text` of a literal is decoded: what the value's text holds. `end` is the word EOF. */
export type Part =
  | { readonly kind: 'field'; readonly label: string; readonly at: Position; readonly type: TypeUse }
  | { readonly kind: 'literal'; readonly text: string; readonly at: Position }
  | { readonly kind: 'print'; readonly command: PrintCommand; readonly at: Position }
  | { readonly kind: 'end'; readonly at: Position }
