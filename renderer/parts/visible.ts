/**
 * Signs that turn the direction of text, which could make a line read as something that it is not, and control characters
 * but the tab and line breaks, which text has a use for.
 */
// eslint-disable-next-line no-control-regex
const unseen = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Text of a stranger with what is unseen in it made seen: `‹U+001B›[31m` for a terminal's red. */
export function visible(text: string): string {
  return text.replace(unseen, (sign) => `‹U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`)
}

/** A line of a stranger's text as a view draws it: `number` from 1, null for the rest of a line that was too long. */
export interface TextLine {
  readonly number: number | null
  readonly text: string
}

/** Lines of a text, visible; longer ones than `longest` characters go on in the next one, so that none is slow to draw. */
export function textLines(text: string, longest = 2_000): readonly TextLine[] {
  const lines: TextLine[] = []
  for (const [i, line] of text.split(/\r\n|\n/).entries()) {
    let from = 0
    do {
      // Never between the halves of one character.
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
