import { EOF, tokenLabel } from 'chevrotain'
import type { IParserErrorMessageProvider, IToken, TokenType } from 'chevrotain'

/** Syntax errors as one sentence each, with what was found and what was expected. */
export const errorMessages: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected, actual }) =>
    `Found ${seen(actual)} where ${tokenLabel(expected)} is expected.`,
  buildNotAllInputParsedMessage: ({ firstRedundant }) =>
    `Found ${seen(firstRedundant)} where nothing more is expected.`,
  buildNoViableAltMessage: ({ expectedPathsPerAlt, actual, ruleName }) =>
    ruleName === 'primary'
      ? `Found ${seen(actual[0])} where a value is expected.`
      : sentence(actual[0], expectedPathsPerAlt.flat()),
  buildEarlyExitMessage: ({ expectedIterationPaths, actual }) => sentence(actual[0], expectedIterationPaths),
}

/** The label of the one token that a message of this provider asks for; null: there are several. */
export function wantedIn(message: string): string | null {
  const [, label] = / where (.*) is expected\.$/.exec(message) ?? []
  return label === undefined || label.includes(' or ') || label === 'something else' ? null : label
}

function sentence(actual: IToken | undefined, paths: readonly (readonly TokenType[])[]): string {
  const first = paths.flatMap((path) => path.slice(0, 1))
  const labels = [...new Set(first.map(tokenLabel))]
  // A long list of alternatives would not be helpful.
  const wanted = labels.length <= 6 ? labels.join(' or ') : 'something else'
  return `Found ${seen(actual)} where ${wanted} is expected.`
}

function seen(token: IToken | undefined): string {
  if (!token || token.tokenType === EOF) return 'the end of the text'
  return `"${token.image.length > 40 ? `${token.image.slice(0, 40)}...` : token.image}"`
}

/** Thrown by a parser that cannot continue, with the offset in the text. Caught by the function that reads the text. */
export class Unreadable extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

/** The error for a text that is nested so deeply that the parser could overflow the stack. */
export function tooDeep(at: number): Unreadable {
  return new Unreadable(at, 'This nests too deeply or is too long; name a part of it with define or let.')
}
