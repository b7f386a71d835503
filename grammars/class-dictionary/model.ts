import type { Position } from '../problem.ts'

/** A: Demeter/C++ and DemeterJ (1988-2008). B: DemFGen in spring 2009. C: DemFGen 2011, and what is written here. */
export type Dialect = 'A' | 'B' | 'C'

/**
 * A class dictionary as it was written: plain data, one tree for every dialect, with the place of every name. The names
 * are the text's own; nothing is resolved here. Optional keys are of dialects A and B only and never there in C; nothing
 * is lost that means anything to any of the tools, so that `printDictionary` gives back what was read.
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
  /** Every file reached by includes, each once, in the order of first mention; a missing one is not here. */
  readonly included: readonly IncludedFile[]
}

/** A file that was included, directly or by another. Its dictionary's own `included` is empty: all are listed at the top. */
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

/** A class, a type parameter or a built-in name where it is used, with its type arguments. */
export interface TypeUse {
  readonly name: string
  readonly at: Position
  readonly arguments: readonly TypeUse[]
  /** `$ X`: a class of C++ itself. */
  readonly external?: true
  /** `X @ m`, `X @@ l`: a class of a component or a library. Kept, and otherwise as if it were not there. */
  readonly module?: { readonly sign: '@' | '@@'; readonly name: string }
  /** Of an alternative: the code of `lookahead (@ 2 @)` in front of it. */
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
  /** The word before shared parts. It can be there without any. */
  readonly common?: 'common' | '*common*'
  /** Words before the name, as written: `public`, `*public*`, `abstract`, `visitor`. */
  readonly modifiers?: readonly string[]
  readonly extends?: readonly TypeUse[]
  /** Methods in Java. */
  readonly methods?: Code
  /** `package a.b; import c.*;` in front of it, where it is not the first class. */
  readonly package?: { readonly name: QualifiedName; readonly imports: readonly QualifiedName[] }
}

/**
 * `before [first] { open of close } after`: where `first` is null any number of elements, each within `open` and `close`;
 * else one element at least, of which the first one is bare.
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
 * `end` is the word EOF. `optional` is `[ before field after ]`, whose value is null where it is absent. `inherit` is the
 * place of the parts shared by these abstract classes, which otherwise come last.
 */
export type Part =
  | FieldPart
  | SyntaxPart
  | { readonly kind: 'end'; readonly at: Position; readonly starred?: true }
  | OptionalPart
  | { readonly kind: 'inherit'; readonly at: Position; readonly types: readonly TypeUse[] }

/** `text` of a literal is decoded: what the value's text holds. */
export type SyntaxPart =
  | { readonly kind: 'literal'; readonly text: string; readonly at: Position }
  | { readonly kind: 'print'; readonly command: PrintCommand; readonly at: Position }

export interface FieldPart {
  readonly kind: 'field'
  readonly label: string
  readonly at: Position
  readonly type: TypeUse
  /** No label was written: it is the class's name with a small first letter. Values number it where it is taken. */
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
