import type { IParserErrorMessageProvider, IToken } from 'chevrotain'
import type { Position } from '../problem.ts'
import type { Definition, Include, NameDef, QualifiedName, TypeUse } from './model.ts'

/** The contents of a dictionary's text, before its includes are resolved. */
export interface Source {
  readonly includes: readonly Include[]
  readonly using: readonly NameDef[]
  readonly package: QualifiedName | null
  readonly lookahead: { readonly value: number; readonly at: Position } | null
  readonly imports: readonly QualifiedName[]
  readonly definitions: readonly Definition[]
  readonly terminalSets?: readonly TypeUse[]
}

function found(token: IToken | undefined): string {
  return token === undefined || token.image === '' ? 'the end of the text' : `\`${token.image.slice(0, 40)}\``
}

/** The error messages of both grammars. */
export const messages: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected, actual }) =>
    `Expected ${expected.LABEL ?? expected.name}, found ${found(actual)}.`,
  buildNotAllInputParsedMessage: ({ firstRedundant }) => `Expected a class, found ${found(firstRedundant)}.`,
  buildNoViableAltMessage: ({ actual, customUserDescription }) =>
    `Expected ${customUserDescription ?? 'something else'}, found ${found(actual[0])}.`,
  buildEarlyExitMessage: ({ actual, customUserDescription }) =>
    `Expected ${customUserDescription ?? 'something else'}, found ${found(actual[0])}.`,
}

/** The value of a number: decimal, hexadecimal (0x..) or octal (0..), as in Java. */
export function numberOf(image: string): number {
  return /^0[0-7]+$/.test(image) ? Number(`0o${image.slice(1)}`) : Number(image)
}
