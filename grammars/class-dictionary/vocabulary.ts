import { lexicalNames } from './built-in.ts'
import type { Lexical } from './built-in.ts'
import type { Dictionary } from './model.ts'
import { typesOf, withArguments } from './scope.ts'

/** Tokens of a value's text. Literals follow from `FIRST_LITERAL` on. */
export const END = 0
export const IDENT = 1
export const INT = 2
export const NUMBER = 3
export const STRING = 4
export const FOREIGN = 5
export const UNKNOWN = 6
export const FIRST_LITERAL = 7

/**
 * The tokens of a dictionary's value language. One vocabulary for the whole dictionary: a literal that looks like a name is
 * a keyword everywhere in it. A literal with white space in it is several tokens.
 */
export interface Vocabulary {
  /** The text of every literal token; its token is its place plus FIRST_LITERAL. */
  readonly literals: readonly string[]
  readonly tokenOf: ReadonlyMap<string, number>
  /** The tokens by which a value of a lexical class can be written: literals that look like numbers are numbers too. */
  readonly lexical: Readonly<Record<Lexical, readonly number[]>>
  /** Whether `"` opens a string, `//` and `/*` a comment: not where a literal holds those characters. */
  readonly strings: boolean
  /** Whether `1.5` is one token: only where the dictionary has numbers. */
  readonly numbers: boolean
  readonly lineComments: boolean
  readonly blockComments: boolean
}

export function vocabularyOf(dictionary: Dictionary): Vocabulary {
  const tokenOf = new Map<string, number>()
  const files = [dictionary, ...dictionary.included.map((file) => file.dictionary)]
  for (const { definitions } of files) {
    for (const { parts } of definitions) {
      for (const part of parts) {
        if (part.kind !== 'literal') continue
        for (const piece of pieces(part.text)) {
          if (!tokenOf.has(piece)) tokenOf.set(piece, FIRST_LITERAL + tokenOf.size)
        }
      }
    }
  }
  const uses = files.flatMap(({ definitions }) => withArguments(definitions.flatMap(typesOf)))
  const literals = [...tokenOf.keys()]
  const like = (pattern: RegExp): number[] =>
    literals.filter((text) => pattern.test(text)).map((text) => tokenOf.get(text)!)
  const ints = like(/^-?[0-9]+$/)
  const numbers = like(/^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/)
  const free = (text: string): boolean => !literals.some((literal) => literal.includes(text))
  return {
    literals,
    tokenOf,
    lexical: { ident: [IDENT], string: [STRING], int: [INT, ...ints], number: [INT, NUMBER, ...numbers] },
    strings: free('"'),
    numbers: uses.some(({ name }) => lexicalNames.get(name) === 'number'),
    lineComments: free('//'),
    blockComments: free('/*'),
  }
}

/** The tokens that a literal stands for: white space inside it separates them. */
export function pieces(literal: string): readonly string[] {
  return literal.split(/[ \t\n\r]+/).filter((piece) => piece !== '')
}

/** A token as a message names it. */
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
    default:
      return `\`${vocabulary.literals[token - FIRST_LITERAL] ?? '?'}\``
  }
}
