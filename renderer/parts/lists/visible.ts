/**
 * Bidirectional controls, which can disguise a line's content, and control characters except for tabs and line breaks.
 */
// eslint-disable-next-line no-control-regex
const unseen = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Untrusted text with invisible characters made visible: `‹U+001B›[31m` for a terminal's red. */
export function visible(text: string): string {
  return text.replace(unseen, (sign) => `‹U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`)
}

/** A line of untrusted text to draw. `number` counts from 1; null: the continuation of a long line. */
export interface TextLine {
  readonly number: number | null
  readonly text: string
}

/** The lines of a text, with invisible characters shown; lines over `longest` characters are split to keep drawing fast. */
export function textLines(text: string, longest = 2_000): readonly TextLine[] {
  const lines: TextLine[] = []
  for (const [i, line] of text.split(/\r\n|\n/).entries()) {
    let from = 0
    do {
      // Never within a surrogate pair.
      const to = from + longest + (isHighHalf(line.charCodeAt(from + longest - 1)) ? 1 : 0)
      lines.push({ number: from === 0 ? i + 1 : null, text: visible(line.slice(from, to)) })
      from = to
    } while (from < line.length)
  }
  return lines
}

function isHighHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
