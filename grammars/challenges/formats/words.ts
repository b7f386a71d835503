import type { Position, Problem } from '../../problem.ts'

/** A word of a line-oriented format, and its position. */
export interface Word {
  readonly text: string
  readonly at: Position
}

/** Thrown and caught within the readers of this folder. */
export class Unreadable extends Error {
  readonly problem: Problem

  constructor(at: Position, message: string) {
    super(message)
    this.problem = { at, code: 'value-malformed', message }
  }
}

/** The non-empty lines of a text as words; `pattern` matches a word. */
export function linesOf(text: string, pattern: RegExp): readonly (readonly Word[])[] {
  const lines: Word[][] = []
  let offset = 0
  let line = 1
  for (const piece of text.split('\n')) {
    const start = offset
    const words = Array.from(piece.matchAll(pattern), ({ 0: word, index }) => {
      return { text: word, at: { line, column: index + 1, offset: start + index } }
    })
    if (words.length > 0) lines.push(words)
    offset += piece.length + 1
    line += 1
  }
  return lines
}

/** A whole number of at least `low`. Throws Unreadable with a sentence that begins with `what`. */
export function wholeNumber({ text, at }: Word, low: number, what: string): number {
  const value = /^[+-]?\d{1,16}$/.test(text) ? Number(text) : NaN
  if (Number.isSafeInteger(value) && value >= low) return value + 0
  if (/^\+?\d{16,}$/.test(text)) throw new Unreadable(at, `${what} is too large: ${JSON.stringify(text.slice(0, 40))}.`)
  const range = low === -Infinity ? 'a whole number' : `a whole number from ${low}`
  throw new Unreadable(at, `${what} must be ${range}, not ${JSON.stringify(text.slice(0, 40))}.`)
}

/** The position of the end of a text. */
export function endOf(text: string): Position {
  const line = text.split('\n').length
  return { line, column: text.length - text.lastIndexOf('\n'), offset: text.length }
}
