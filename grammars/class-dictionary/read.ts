import type { Position, Problem } from '../problem.ts'
import { dialectOf, statedDialect } from './parsing/dialect.ts'
import type { Dialect, Dictionary, IncludedFile, Definition } from './model.ts'
import { includedPath } from './included-path.ts'
import { parse, tokenize, judgeTokens, lateProblem } from './parsing/recover.ts'
import type { Source } from './source.ts'
import type { IToken } from 'chevrotain'
import { parser } from './parsing/grammar.ts'
import { Dot, lexer } from './parsing/tokens.ts'

/** Maximum characters of a file. */
const MAX_LENGTH = 16_000_000
const MAX_FILES = 1_000

interface ReadOptions {
  /** The position of the text in a larger one, by which all positions are shifted. Default: its own beginning. */
  readonly at?: Position
  /**
   * The text of an included file; null: none. Called once for each `includedPath`. Default: only the library exists.
   */
  readonly resolve?: (name: string) => string | null
  /**
   * The dialect of the text and its includes. Default: that of a first line `// dialect: A`, otherwise it is detected.
   */
  readonly dialect?: Dialect
  /**
   * True if parts should have labels, as in a challenge: a few without are then mistakes and no sign of an older dialect. Default: false.
   */
  readonly wantsLabels?: boolean
}

const start: Position = { line: 1, column: 1, offset: 0 }

/**
 * Reads a class dictionary and, through `resolve`, its includes. `dictionary` is null exactly if there are problems;
 * `dialect` is the dialect in which the text was read. Checks only the grammar: `judgeDictionary` resolves names and
 * also reports includes that were not found.
 */
export function readDictionary(
  text: string,
  options: ReadOptions = {},
): { readonly dictionary: Dictionary | null; readonly dialect: Dialect; readonly problems: readonly Problem[] } {
  const stated = options.dialect ?? null
  const wantsLabels = options.wantsLabels ?? false
  const main = readSource(text, options.at ?? start, stated, 'C', wantsLabels)
  const { dialect } = main
  if (main.source === null) return { dictionary: null, dialect, problems: main.problems }

  const included: IncludedFile[] = []
  const problems: Problem[] = []
  const asked = new Set<string>()
  const waiting = placesOf(null, main.source)
  for (const { path: name, at } of waiting) {
    if (asked.has(name)) continue
    asked.add(name)
    if (asked.size > MAX_FILES) {
      return {
        dictionary: null,
        dialect,
        problems: [{ at, code: 'too-large', message: `More than ${MAX_FILES} files are included.` }],
      }
    }
    const inner = options.resolve?.(name) ?? libraryFile(name)
    if (inner === null) continue
    const file = readSource(inner, start, stated, dialect, wantsLabels)
    problems.push(...file.problems.map((problem) => ({ ...problem, file: name })))
    if (file.source === null) continue
    included.push({ name, dictionary: { dialect: file.dialect, ...file.source, included: [] } })
    waiting.push(...placesOf(name, file.source))
  }
  return problems.length > 0
    ? { dictionary: null, dialect, problems }
    : { dictionary: { dialect, ...main.source, included }, dialect, problems: [] }
}

const placesOf = (file: string | null, { includes }: Source): { readonly path: string; readonly at: Position }[] =>
  includes.map(({ name, at }) => ({ path: includedPath(file, name), at }))

/** `usual`: the dialect of the including file, used for texts that fit any dialect. */
function readSource(
  text: string,
  at: Position,
  stated: Dialect | null,
  usual: Dialect,
  wantsLabels: boolean,
): { readonly source: Source | null; readonly dialect: Dialect; readonly problems: readonly Problem[] } {
  if (text.length > MAX_LENGTH) {
    return {
      source: null,
      dialect: usual,
      problems: [{ at, code: 'too-large', message: `The text is longer than ${MAX_LENGTH} characters.` }],
    }
  }
  const certain = stated ?? statedDialect(text)
  const inPieces = certain === 'C' || (certain === null && usual === 'C') ? readInPieces(text, at) : null
  if (inPieces !== null) return { source: inPieces, dialect: 'C', problems: [] }
  const inC = certain === null || certain === 'C' ? parse(tokenize(text, at, 'C'), at, 'C') : null
  if (inC !== null && (certain === 'C' || (inC.source !== null && usual === 'C'))) return { dialect: 'C', ...inC }

  const older = tokenize(text, at, 'A')
  const found = dialectOf(older.tokens, wantsLabels)
  const signs = certain ?? found.dialect
  if (signs !== 'C') {
    const asOlder = parse(older, at, signs)
    // A mistake may look like a sign of another dialect: the one with fewer problems counts.
    const more = asOlder.problems.length - (inC?.problems.length ?? Infinity)
    if (inC !== null && asOlder.source === null && (more > 0 || (more === 0 && found.modern > 0))) {
      return { dialect: 'C', ...inC }
    }
    return { dialect: signs, ...asOlder }
  }
  if (usual !== 'C') {
    const asUsual = parse(older, at, usual)
    if (asUsual.source !== null) return { dialect: usual, ...asUsual }
  }
  return { dialect: 'C', ...inC! }
}

/**
 * Replaces DemFGen's library if its file is missing. `List`, `Option`, `Set`, `Map` and `Entry` are built in; these are
 * its other names. If there is a file of that name, it is read instead.
 */
const libraryText = `
Cons(X) = <first> X <rest> List(X).
Empty(X) = .
Some(X) = <just> X.
None(X) = .
ListMap(K, V) = <list> List(Entry(K, V)).
ListSet(X) = <list> List(X).
extern interface Comparable(X) = .
`

/** The text of the library if `name` is the name of its file, in any folder; null: another file. */
function libraryFile(name: string): string | null {
  return /^(.*\/)?lib\.java\.cd$/.test(name) ? libraryText : null
}

/** The number of characters read at a time. */
const PIECE = 32_768

/**
 * Reads a long text of dialect C in pieces of whole classes, so that a piece's tokens are released before the next ones
 * are created; keeping them takes most of the time of reading a long text at once. Null if there is anything wrong or
 * unusual, and for short texts: read those at once to find the problem. `piece`: characters.
 */
export function readInPieces(text: string, at: Position, piece = PIECE): Source | null {
  if (text.length <= 2 * piece || !text.isWellFormed()) return null
  const reader = parser()
  let head: Source | null = null
  const definitions: Definition[] = []
  let from = at
  let size = piece
  for (let begin = 0; begin < text.length;) {
    const end = endOfLineBehind(text, begin + size)
    const last = end === text.length
    const { tokens, errors } = lexer().tokenize(text.slice(begin, end))
    if (!last) tokens.length = 1 + tokens.findLastIndex(({ tokenType }) => tokenType === Dot)
    const dot = tokens.at(-1)
    if (dot === undefined && !last) {
      size *= 2
      continue
    }
    if (errors.length > 0 || judgeTokens(tokens, from, true).problems.length > 0) return null
    reader.origin = from
    reader.input = tokens
    const read = head === null ? reader.source() : reader.definitions()
    if (reader.errors.length > 0) return null
    head ??= read as Source
    for (const definition of read.definitions) definitions.push(definition)
    if (last || dot === undefined) break
    from = behindDot(dot, from)
    begin += dot.startOffset + 1
    size = piece
  }
  return head === null || lateProblem(head) !== null ? null : { ...head, definitions }
}

function endOfLineBehind(text: string, from: number): number {
  const found = text.indexOf('\n', from)
  return found === -1 ? text.length : found + 1
}

function behindDot({ startLine = 1, startColumn = 1, startOffset }: IToken, origin: Position): Position {
  return {
    line: origin.line + startLine - 1,
    column: (startLine === 1 ? origin.column : 1) + startColumn,
    offset: origin.offset + startOffset + 1,
  }
}
