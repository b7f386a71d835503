import type { Position } from '../problem.ts'

/** A: Demeter/C++ and DemeterJ (1988-2008). B: DemFGen in spring 2009. C: DemFGen 2011 and Tartaglia. */
export type Dialect = 'A' | 'B' | 'C'

/**
 * A class dictionary as written: plain data, one tree for all dialects, with the position of every name. Names are
 * unresolved. Optional keys occur only in dialects A and B. Everything that has a meaning for any of the tools is kept,
 * so that `printDictionary` reproduces the dictionary.
 */
export interface Dictionary {
  readonly dialect: Dialect
  readonly includes: readonly Include[]
  readonly using: readonly NameDef[]
  readonly package: QualifiedName | null
  readonly lookahead: { readonly value: number; readonly at: Position } | null
  readonly imports: readonly QualifiedName[]
  readonly definitions: readonly Definition[]
  /** `*terminal_sets* A, B.` */
  readonly terminalSets?: readonly TypeUse[]
  /** All included files, each once, in the order of first mention, without missing ones. */
  readonly included: readonly IncludedFile[]
}

/**
 * A directly or indirectly included file. Its dictionary's own `included` is empty: all files are listed at the top.
 */
export interface IncludedFile {
  /** Its `includedPath`. */
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

/** The use of a class, a type parameter or a built-in name, with its type arguments. */
export interface TypeUse {
  readonly name: string
  readonly at: Position
  readonly arguments: readonly TypeUse[]
  /** `$ X`: a class of C++ itself. */
  readonly external?: true
  /** `X @ m`, `X @@ l`: a class of a component or a library. Kept but ignored. */
  readonly module?: { readonly sign: '@' | '@@'; readonly name: string }
  /** For an alternative: the code of a preceding `lookahead (@ 2 @)`. */
  readonly lookahead?: Code
}

/** A block in a programming language, with its brackets: `(@ .. @)` or `{{ .. }}`. */
export interface Code {
  readonly text: string
  readonly at: Position
}

/**
 * A class. With alternatives it is abstract, and its parts are shared by all of them; with a repetition it is a list;
 * otherwise it is concrete.
 */
export interface Definition {
  readonly flag: Flag | null
  readonly isInterface: boolean
  readonly name: string
  readonly at: Position
  readonly parameters: readonly NameDef[]
  readonly alternatives: readonly TypeUse[]
  readonly parts: readonly Part[]
  readonly implements: readonly TypeUse[]
  /** `~ "(" X { "," X } ")"`; `parts` and `alternatives` are empty then. */
  readonly repetition?: Repetition
  /** The word before shared parts; allowed even without parts. */
  readonly common?: 'common' | '*common*'
  /** Words before the name, as written: `public`, `*public*`, `abstract`, `visitor`. */
  readonly modifiers?: readonly string[]
  readonly extends?: readonly TypeUse[]
  /** Methods in Java. */
  readonly methods?: Code
  /** A preceding `package a.b; import c.*;`, if it is not the first class. */
  readonly package?: { readonly name: QualifiedName; readonly imports: readonly QualifiedName[] }
}

/**
 * `before [first] { open of close } after`. If `first` is null: any number of elements, each between `open` and
 * `close`; otherwise at least one element, the first of them without `open` and `close`.
 */
export interface Repetition {
  readonly at: Position
  readonly before: readonly SyntaxPart[]
  readonly first: TypeUse | null
  readonly lookahead?: Code
  readonly open: readonly SyntaxPart[]
  readonly of: TypeUse
  readonly close: readonly SyntaxPart[]
  readonly after: readonly SyntaxPart[]
}

export type PrintCommand = '*s' | '*t' | '*l' | '*r' | '+' | '-'

/**
 * `end` is the word EOF. `optional` is `[ before field after ]`, whose value is null if it is absent. `inherit` is the
 * position of the parts shared by these abstract classes, which otherwise come last.
 */
export type Part =
  | FieldPart
  | SyntaxPart
  | { readonly kind: 'end'; readonly at: Position; readonly starred?: true }
  | OptionalPart
  | { readonly kind: 'inherit'; readonly at: Position; readonly types: readonly TypeUse[] }

/** `text` of a literal is decoded: the characters in the value's text. */
export type SyntaxPart =
  | { readonly kind: 'literal'; readonly text: string; readonly at: Position }
  | { readonly kind: 'print'; readonly command: PrintCommand; readonly at: Position }

export interface FieldPart {
  readonly kind: 'field'
  readonly label: string
  readonly at: Position
  readonly type: TypeUse
  /** No label was written: it is the class's name with a small first letter, numbered in values if it is taken. */
  readonly implicit?: true
  /** Words before the type, as written: `*static*`, `*read-only*`, `private`. */
  readonly modifiers?: readonly string[]
  /** Its initial value in Java. */
  readonly initial?: Code
}

export interface OptionalPart {
  readonly kind: 'optional'
  readonly at: Position
  readonly lookahead?: Code
  readonly before: readonly SyntaxPart[]
  readonly field: FieldPart
  readonly after: readonly SyntaxPart[]
}
