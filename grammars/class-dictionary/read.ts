import type { ILexingError, IRecognitionException, IToken } from 'chevrotain'
import type { Position, Problem } from '../problem.ts'
import { parser } from './grammar.ts'
import type { Source } from './grammar.ts'
import type { Dictionary, IncludedFile, TypeUse } from './model.ts'
import * as t from './tokens.ts'

/** Parentheses deeper than this are refused; the grammar's recursion is thereby bounded. */
const MAX_NESTING = 100
/** Syntax problems reported for one file. */
const MAX_PROBLEMS = 20
/** Characters of one file. */
const MAX_LENGTH = 16_000_000
const MAX_FILES = 1_000

interface ReadOptions {
  /** Where the text begins in a larger one; all positions are shifted by it. Default: its own beginning. */
  readonly at?: Position
  /** The text of an included file, null where there is none. Called once a name. Default: there are none. */
  readonly resolve?: (name: string) => string | null
}

const start: Position = { line: 1, column: 1, offset: 0 }

/**
 * Reads a class dictionary of dialect C and, through `resolve`, what it includes. `dictionary` is null exactly where
 * there are problems. This is the verdict of the grammar alone: names are looked up by `checkDictionary`, which also
 * reports includes that were not found.
 */
export function readDictionary(
  text: string,
  options: ReadOptions = {},
): { readonly dictionary: Dictionary | null; readonly problems: readonly Problem[] } {
  const main = readSource(text, options.at ?? start)
  if (main.source === null) return { dictionary: null, problems: main.problems }

  const included: IncludedFile[] = []
  const problems: Problem[] = []
  const asked = new Set<string>()
  const waiting = [...main.source.includes]
  for (const { name, at } of waiting) {
    if (asked.has(name)) continue
    asked.add(name)
    if (asked.size > MAX_FILES) {
      return { dictionary: null, problems: [{ at, message: `More than ${MAX_FILES} files are included.` }] }
    }
    const inner = options.resolve?.(name) ?? null
    if (inner === null) continue
    const file = readSource(inner, start)
    problems.push(...file.problems.map((problem) => ({ ...problem, file: name })))
    if (file.source === null) continue
    included.push({ name, dictionary: { dialect: 'C', ...file.source, included: [] } })
    waiting.push(...file.source.includes)
  }
  return problems.length > 0
    ? { dictionary: null, problems }
    : { dictionary: { dialect: 'C', ...main.source, included }, problems: [] }
}

/** Reads one type, such as `List(Pair(int, ident))`. */
export function readTypeUse(text: string): TypeUse | Problem {
  const { tokens, problem } = tokenize(text, start)
  if (problem !== null) return problem
  parser.origin = start
  parser.input = tokens
  const use = parser.typeUse()
  const error = parser.errors[0]
  return error === undefined ? use : problemOf(error, tokens, start)
}

function readSource(
  text: string,
  at: Position,
): { readonly source: Source | null; readonly problems: readonly Problem[] } {
  const { tokens, problem } = tokenize(text, at)
  if (problem !== null) return { source: null, problems: [problem] }

  parser.origin = at
  parser.input = tokens
  const source = parser.source()
  let error = parser.errors[0]
  if (error === undefined) {
    const late = lateProblem(source)
    return late === null ? { source, problems: [] } : { source: null, problems: [late] }
  }

  // The first problem is certain. For more of them reading starts again behind the next dot.
  const problems: Problem[] = []
  let rest = tokens
  while (error !== undefined && problems.length < MAX_PROBLEMS) {
    problems.push(problemOf(error, rest, at))
    const from = rest.indexOf(error.token)
    if (from === -1) break
    const dot = rest.findIndex((token, i) => i >= from && token.tokenType === t.Dot)
    if (dot === -1 || dot + 1 === rest.length) break
    rest = rest.slice(dot + 1)
    parser.input = rest
    parser.definitions()
    error = parser.errors[0]
  }
  return { source: null, problems }
}

/** Lexical problems and nesting, found in one pass before the grammar sees anything. */
function tokenize(text: string, at: Position): { readonly tokens: IToken[]; readonly problem: Problem | null } {
  const refuse = (problem: Problem): ReturnType<typeof tokenize> => ({ tokens: [], problem })
  if (text.length > MAX_LENGTH) {
    return refuse({ at, message: `The text is longer than ${MAX_LENGTH} characters.` })
  }
  const { tokens, errors } = t.lexer.tokenize(text)
  const error = errors[0]
  const bad = tokens.find(isBad) ?? null
  if (error !== undefined && (bad === null || error.offset < bad.startOffset)) {
    return refuse(unexpectedCharacter(text, error, at))
  }
  if (bad !== null) return refuse(badToken(bad, at))
  let depth = 0
  for (const token of tokens) {
    if (token.tokenType === t.OpenParen) depth++
    else if (token.tokenType === t.CloseParen) depth--
    if (depth > MAX_NESTING) {
      return refuse({ at: position(token, at), message: `Parentheses are nested more than ${MAX_NESTING} deep.` })
    }
  }
  return { tokens, problem: null }
}

function isBad(token: IToken): boolean {
  const type = token.tokenType
  if (type === t.Text) return !token.image.isWellFormed()
  return type === t.OpenText || type === t.OpenComment || type === t.OpenLineComment
}

function badToken(token: IToken, origin: Position): Problem {
  const at = position(token, origin)
  switch (token.tokenType) {
    case t.Text:
      return { at, message: 'The literal holds half a character (a lone surrogate).' }
    case t.OpenComment:
      return { at, message: 'The comment is not closed.', hint: 'Write `*/` where it ends.' }
    case t.OpenLineComment:
      return { at, message: 'The last comment does not end in a line break.', hint: 'Add a line break at the end.' }
    default:
      return {
        at,
        message: 'The literal is not closed on its line, or has an escape that is not known.',
        hint: 'Known are \\n \\t \\b \\r \\f \\\\ \\\' \\" and octal numbers such as \\101.',
      }
  }
}

const characterHints: ReadonlyMap<string, string> = new Map([
  ['\ufeff', 'Save the file without a byte order mark.'],
  ["'", 'Literals are written in double quotes.'],
  ['[', 'Optional parts are written `<label> Option(Class)`.'],
  ['~', 'Repetitions are written `<label> List(Class)`.'],
  ['{', 'Repetitions are written `<label> List(Class)`.'],
  ['*', 'Printing commands are *s *t *l *r. Words between stars are of older dialects: shared parts need none.'],
])

function unexpectedCharacter(text: string, error: ILexingError, origin: Position): Problem {
  const code = text.codePointAt(error.offset) ?? 0
  const character = String.fromCodePoint(code)
  const printable = code > 32 && code !== 127 && code !== 0xfeff && character.isWellFormed()
  const name = printable ? `\`${character}\`` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  const hint = characterHints.get(character)
  return {
    at: shift({ startLine: error.line ?? 1, startColumn: error.column ?? 1, startOffset: error.offset }, origin),
    message: `The character ${name} has no meaning here.`,
    ...(hint === undefined ? {} : { hint }),
  }
}

function problemOf(error: IRecognitionException, tokens: readonly IToken[], origin: Position): Problem {
  const { token } = error
  const last = tokens.at(-1)
  const at =
    token.image !== '' || last === undefined
      ? position(token, origin)
      : // The end of the text has no place of its own: it is behind the last token, which is never longer than a line.
        shift(
          {
            startLine: last.startLine ?? 1,
            startColumn: (last.startColumn ?? 1) + last.image.length,
            startOffset: last.startOffset + last.image.length,
          },
          origin,
        )
  const hint = syntaxHint(token)
  return { at, message: error.message, ...(hint === null ? {} : { hint }) }
}

function syntaxHint(token: IToken): string | null {
  const type = token.tokenType
  if (/^(red|black|true|false)$/.test(token.image)) return `\`${token.image}\` is a reserved word; choose another name.`
  if (type.name.startsWith('Word_')) return `\`${token.image}\` is a keyword, and only in its own place.`
  if (type === t.Colon) return 'In this dialect an abstract class is written `A = B | C.`, with `=`.'
  if (type === t.Identifier) return `A part needs a label, such as \`<${token.image.toLowerCase()}> ${token.image}\`.`
  if (type === t.OpenAngle) return 'Type arguments are written in parentheses, such as `List(int)`.'
  return null
}

/** What the grammar lets through and the model cannot hold. */
function lateProblem(source: Source): Problem | null {
  const { lookahead } = source
  if (lookahead !== null && !Number.isSafeInteger(lookahead.value)) {
    return { at: lookahead.at, message: 'The lookahead is too large a number.' }
  }
  return null
}

interface Place {
  readonly startLine: number
  readonly startColumn: number
  readonly startOffset: number
}

function position(token: IToken, origin: Position): Position {
  // An empty text has no token to stand behind.
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
