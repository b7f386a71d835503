import { entryDefinition, lexicalNames } from './built-in.ts'
import type { Lexical } from './built-in.ts'
import type { Dictionary, TypeUse } from './model.ts'
import { typesOf, withArguments, writtenIn } from './checking/scope.ts'

/** The tokens of a value's text. Literals have the numbers from `FIRST_LITERAL` on. */
export const END = 0
export const IDENT = 1
export const INT = 2
export const NUMBER = 3
export const STRING = 4
export const FOREIGN = 5
export const UNKNOWN = 6
export const CHAR = 7
export const VERBATIM = 8
export const FIRST_LITERAL = 9

/**
 * The tokens of a dictionary's value language. The whole dictionary has one vocabulary: a literal that looks like a
 * name is a keyword everywhere. A literal that contains white space consists of several tokens.
 */
export interface Vocabulary {
  /** The text of every literal token; the token is its index plus FIRST_LITERAL. */
  readonly literals: readonly string[]
  readonly tokenOf: ReadonlyMap<string, number>
  /** The possible tokens of a lexical class's values: literals that look like numbers are also numbers. */
  readonly lexical: Readonly<Record<Lexical, readonly number[]>>
  /** True if `"` opens a string, and `//` and `/*` a comment: not if a literal contains those characters. */
  readonly strings: boolean
  /**
   * True if `'` opens a character and `{{` a verbatim text: only if the dictionary has them and no literal conflicts.
   */
  readonly chars: boolean
  readonly verbatims: boolean
  /** True if `1.5` is one token: only if the dictionary has numbers. */
  readonly numbers: boolean
  readonly lineComments: boolean
  readonly blockComments: boolean
}

/** The vocabulary of a dictionary. `more`: further types of values, which the dictionary need not use. */
export function vocabularyOf(dictionary: Dictionary, more: readonly TypeUse[] = []): Vocabulary {
  const tokenOf = new Map<string, number>()
  const add = (text: string): void => {
    for (const piece of pieces(text)) if (!tokenOf.has(piece)) tokenOf.set(piece, FIRST_LITERAL + tokenOf.size)
  }
  const definitions = [dictionary, ...dictionary.included.map((file) => file.dictionary)].flatMap(
    (file) => file.definitions,
  )
  for (const definition of definitions) {
    for (const part of writtenIn(definition)) if (part.kind === 'literal') add(part.text)
  }
  const uses = new Set(withArguments([...definitions.flatMap(typesOf), ...more]).map(({ name }) => name))
  const own = new Set(definitions.map(({ name }) => name))
  const has = (lexical: Lexical): boolean =>
    [...uses].some((name) => lexicalNames.get(name) === lexical && !own.has(name))
  if (['Map', 'Entry'].some((name) => uses.has(name) && !own.has(name))) {
    for (const part of entryDefinition.parts) if (part.kind === 'literal') add(part.text)
  }
  if (has('boolean')) ['true', 'false'].forEach(add)
  const literals = [...tokenOf.keys()]
  const like = (pattern: RegExp): number[] =>
    literals.filter((text) => pattern.test(text)).map((text) => tokenOf.get(text)!)
  const ints = like(/^-?[0-9]+$/)
  const numbers = like(/^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/)
  const free = (text: string): boolean => !literals.some((literal) => literal.includes(text))
  return {
    literals,
    tokenOf,
    lexical: {
      ident: [IDENT],
      string: [STRING],
      char: [CHAR],
      verbatim: [VERBATIM],
      boolean: has('boolean') ? like(/^(true|false)$/) : [],
      int: [INT, ...ints],
      number: [INT, NUMBER, ...numbers],
    },
    strings: free('"'),
    chars: has('char') && free("'"),
    verbatims: has('verbatim') && free('{{'),
    numbers: has('number'),
    lineComments: free('//'),
    blockComments: free('/*'),
  }
}

/** The tokens of a literal, which are separated by white space. */
export function pieces(literal: string): readonly string[] {
  return literal.split(/[ \t\n\r]+/).filter((piece) => piece !== '')
}

/** A token as named in messages. */
export function tokenName(vocabulary: Vocabulary, token: number): string {
  switch (token) {
    case END:
      return 'the end of the text'
    case IDENT:
      return 'a name'
    case INT:
      return 'a whole number'
    case NUMBER:
      return 'a number'
    case STRING:
      return 'a string'
    case CHAR:
      return 'a character'
    case VERBATIM:
      return 'a text in {{ }}'
    case FOREIGN:
      return 'a value that only another program can read'
    default:
      return `\`${vocabulary.literals[token - FIRST_LITERAL] ?? '?'}\``
  }
}
