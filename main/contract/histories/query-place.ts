// The place of a mistake in a query, in the lines below the sentence about it. One file writes and reads them.

/** A place in a text; line and column from 1. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

/** Characters that are shown on each side of the place, as lines can be long. */
const AROUND = 60

/** The line of an offset in a text, with a mark below it: what `placeInLines` reads. */
export function linesOfPlace(text: string, offset: number): string {
  const before = text.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  const line = before.split('\n').length
  const column = offset - start
  const whole = /^[^\n]*/.exec(text.slice(start))?.[0] ?? ''
  const from = Math.max(0, column - AROUND)
  const shown = whole.slice(from, column + AROUND).replaceAll(/\s/g, ' ')
  return `Line ${line}, column ${column + 1}:\n${shown}\n${' '.repeat(column - from)}^`
}

/** null: the lines name no place. */
export function placeInLines(lines: string): TextPlace | null {
  const found = /^Line (\d{1,7}), column (\d{1,7}):\n/.exec(lines)
  return found === null ? null : { line: Number(found[1]), column: Number(found[2]) }
}
