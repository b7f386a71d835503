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
