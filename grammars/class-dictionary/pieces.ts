import type { IToken } from 'chevrotain'
import type { Position } from '../problem.ts'
import { parser } from './grammar.ts'
import type { Definition } from './model.ts'
import { judgeTokens, lateProblem } from './recover.ts'
import type { Source } from './source.ts'
import { Dot, lexer } from './tokens.ts'

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
