import type { ILexingError, IRecognitionException, IToken } from 'chevrotain'
import type { Position, Problem } from '../../problem.ts'
import { parser } from './grammar.ts'
import type { Dialect, TypeUse } from '../model.ts'
import { characterAdvice, definesBehind, isName, syntaxAdvice } from './habits.ts'
import { olderParser } from './older-grammar.ts'
import * as o from './older-tokens.ts'
import type { Source } from '../source.ts'
import * as t from './tokens.ts'

/** Maximum nesting of parentheses, which bounds the grammar's recursion. */
const MAX_NESTING = 100
/** Maximum number of problems reported for a file. */
const MAX_PROBLEMS = 20

const start: Position = { line: 1, column: 1, offset: 0 }

/** The tokens of a text in a dialect, and its lexical problems. */
interface Tokens {
  readonly tokens: readonly IToken[]
  readonly problems: readonly Problem[]
}

/** Splits a text into tokens, and finds lexical problems and excessive nesting before parsing. */
export function tokenize(text: string, at: Position, dialect: Dialect): Tokens {
  const { tokens, errors } = (dialect === 'C' ? t.lexer : o.olderLexer)().tokenize(text)
  const problems: Problem[] = []
  for (const error of errors) {
    const problem = unexpectedCharacter(text, error, at, dialect)
    // The other quote of a pair has no problem of its own.
    if (problem.at.offset >= (problems.at(-1)?.remedy?.to ?? 0)) problems.push(problem)
    if (problems.length === MAX_PROBLEMS) break
  }
  const { problems: more, tooDeep } = judgeTokens(tokens, at, text.isWellFormed(), 2 * MAX_PROBLEMS - problems.length)
  // After excessive nesting nothing more is read.
  return { tokens: tooDeep ? [] : tokens, problems: inOrder([...problems, ...more]) }
}

/** Finds problems of tokens that the grammar cannot find; stops after `most`. */
export function judgeTokens(
  tokens: readonly IToken[],
  at: Position,
  wellFormed: boolean,
  most = 0,
): { readonly problems: readonly Problem[]; readonly tooDeep: boolean } {
  const problems: Problem[] = []
  let depth = 0
  for (const token of tokens) {
    if (telling[token.tokenTypeIdx] !== true) continue
    const type = token.tokenType
    if (type === t.OpenParen) depth++
    else if (type === t.CloseParen) depth--
    else if (type === t.Dot) depth = 0
    else if (open.has(type) || (type === t.Text && !wellFormed && !token.image.isWellFormed())) {
      problems.push(badToken(token, at))
    }
    if (depth > MAX_NESTING) {
      problems.push({
        at: position(token, at),
        code: 'too-deep',
        message: `Parentheses are nested more than ${MAX_NESTING} deep.`,
      })
      return { problems, tooDeep: true }
    }
    if (problems.length > most) break
  }
  return { problems, tooDeep: false }
}

/** Reads one type, such as `List(Pair(int, ident))`. */
export function readTypeUse(text: string): TypeUse | Problem {
  const { tokens, problems } = tokenize(text, start, 'C')
  if (problems[0] !== undefined) return problems[0]
  const reader = parser()
  reader.origin = start
  reader.input = [...tokens]
  const use = reader.typeUse()
  const error = reader.errors[0]
  return error === undefined ? use : problemOf(error, tokens, start, 'C')
}

/**
 * Parses the tokens, or reports problems: the first problem is certain; to find more, parsing starts again after the
 * dot that ends the class, or where the next class seems to begin.
 */
export function parse(
  { tokens, problems: lexical }: Tokens,
  at: Position,
  dialect: Dialect,
): { readonly source: Source | null; readonly problems: readonly Problem[] } {
  const reader = (dialect === 'C' ? parser : olderParser)()
  reader.origin = at
  reader.input = tokens as IToken[]
  const source = reader.source()
  let error = reader.errors[0]
  if (error === undefined && lexical.length === 0) {
    const late = lateProblem(source)
    return late === null ? { source, problems: [] } : { source: null, problems: [late] }
  }
  const problems: Problem[] = []
  let from = 0
  while (error !== undefined && problems.length < MAX_PROBLEMS) {
    const found = error.token.image === '' ? tokens.length : tokens.indexOf(error.token, from)
    const next = found === -1 ? tokens.length : nextClass(tokens, found)
    // A class with a lexical problem has already been reported.
    const begin = at.offset + (tokens[from]?.startOffset ?? 0)
    const end = at.offset + (tokens[next]?.startOffset ?? Infinity)
    if (!lexical.some((one) => one.at.offset >= begin && one.at.offset < end)) {
      problems.push(problemOf(error, tokens, at, dialect))
    }
    if (next >= tokens.length) break
    from = next
    reader.input = tokens.slice(from)
    reader.definitions()
    error = reader.errors[0]
  }
  // Each slice is read to its end: a text with many problems takes at most twenty readings.
  return { source: null, problems: inOrder([...lexical, ...problems]).slice(0, MAX_PROBLEMS) }
}

/** The index at which the next class begins: after a dot or, if that is missing, at a name that is being defined. */
function nextClass(tokens: readonly IToken[], from: number): number {
  for (let i = from; i < tokens.length; i++) {
    if (tokens[i]!.tokenType === t.Dot) return i + 1
    if (i > 0 && isName(tokens[i]) && definesBehind(tokens, i) && tokens[i - 1]!.tokenType !== t.OpenAngle) {
      const previous = tokens[i - 1]!.tokenType
      // At the position of the problem itself only if the previous class could have ended there.
      if (previous !== t.Dot && (i > from || previous !== t.Bar)) return i
    }
  }
  return tokens.length
}

const open: ReadonlySet<unknown> = new Set([t.OpenText, t.OpenComment, t.OpenLineComment, o.OpenCode])

/** By `tokenTypeIdx`: whether `judgeTokens` needs to examine tokens of this type. Most can be skipped. */
const telling: readonly boolean[] = [
  ...[t.OpenParen, t.CloseParen, t.Dot, t.Text],
  ...[t.OpenText, t.OpenComment, t.OpenLineComment, o.OpenCode],
].reduce<boolean[]>((by, { tokenTypeIdx = 0 }) => ((by[tokenTypeIdx] = true), by), [])

function badToken(token: IToken, origin: Position): Problem {
  const at = position(token, origin)
  switch (token.tokenType) {
    case t.Text:
      return {
        at,
        code: 'character',
        message: 'The literal contains half a character (a lone surrogate).',
        hint: 'Write the whole character.',
      }
    case t.OpenComment:
      return { at, code: 'comment-open', message: 'The comment is not closed.', hint: 'Write `*/` where it ends.' }
    case t.OpenLineComment:
      return {
        at,
        code: 'comment-open',
        message: 'The last comment does not end in a line break.',
        hint: 'Add a line break at the end.',
      }
    case o.OpenCode:
      return { at, code: 'block-open', message: 'The code is not closed.', hint: 'Write `@)` or `}}` where it ends.' }
    default:
      return {
        at,
        code: 'text-open',
        message: 'The literal is not closed on its line, or has an unknown escape.',
        hint: 'The escapes are \\n \\t \\b \\r \\f \\\\ \\\' \\" and octal numbers such as \\101.',
      }
  }
}

function problemOf(
  error: IRecognitionException,
  tokens: readonly IToken[],
  origin: Position,
  dialect: Dialect,
): Problem {
  const { token } = error
  const last = tokens.at(-1)
  const at =
    token.image !== '' || last === undefined
      ? position(token, origin)
      : // The end of the text has no position of its own: it is after the last token.
        shift(behind(last), origin)
  const i = token.image === '' ? tokens.length : tokens.indexOf(token)
  const { before, ...advice } = syntaxAdvice(
    tokens,
    i,
    at.offset - (token.image === '' ? 0 : token.startOffset),
    dialect,
  )
  // A part that is missing at the end of a class is missing behind its last token.
  return { at: before === undefined ? at : shift(behind(before), origin), message: error.message, ...advice }
}

function behind({ image, startLine = 1, startColumn = 1, startOffset }: IToken): Place {
  const lines = image.split(/\r\n|\n|\r/)
  const { length } = lines.at(-1)!
  return {
    startLine: startLine + lines.length - 1,
    startColumn: lines.length === 1 ? startColumn + length : length + 1,
    startOffset: startOffset + image.length,
  }
}

function unexpectedCharacter(text: string, error: ILexingError, origin: Position, dialect: Dialect): Problem {
  const code = text.codePointAt(error.offset) ?? 0
  const character = String.fromCodePoint(code)
  const printable = code > 32 && code !== 127 && code !== 0xfeff && character.isWellFormed()
  const name = printable ? `\`${character}\`` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return {
    at: shift({ startLine: error.line ?? 1, startColumn: error.column ?? 1, startOffset: error.offset }, origin),
    message: `The character ${name} has no meaning here.`,
    ...characterAdvice(text, error.offset, origin.offset, dialect),
  }
}

/** Finds problems that the grammar accepts but the model cannot represent. */
export function lateProblem(source: Source): Problem | null {
  const { lookahead } = source
  if (lookahead !== null && !Number.isSafeInteger(lookahead.value)) {
    return { at: lookahead.at, code: 'lookahead', message: 'The lookahead is too large.', hint: 'Write at most 16.' }
  }
  return null
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((a, b) => a.at.offset - b.at.offset)
}

interface Place {
  readonly startLine: number
  readonly startColumn: number
  readonly startOffset: number
}

/** The position at which a token begins. */
function position(token: IToken, origin: Position): Position {
  // An empty text has no token that could give a position.
  if (token.image === '' || Number.isNaN(token.startOffset)) return origin
  return shift(
    { startLine: token.startLine ?? 1, startColumn: token.startColumn ?? 1, startOffset: token.startOffset },
    origin,
  )
}

function shift(place: Place, origin: Position): Position {
  return {
    line: origin.line + place.startLine - 1,
    column: place.startLine === 1 ? origin.column + place.startColumn - 1 : place.startColumn,
    offset: origin.offset + place.startOffset,
  }
}
