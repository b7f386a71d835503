/** A token of a text that is formatted. */
export interface LaidToken {
  readonly from: number
  readonly image: string
}

/** How a language is laid out. Tokens are given by their index. */
export interface Style {
  /** A space between the tokens at `i - 1` and `i`, which stay on a line. `had`: there was one. */
  spaced(i: number, had: boolean): boolean
  /** True for a token that begins a line of its own. */
  begins(i: number): boolean
  /** The levels by which the line that begins with the token at `i` is indented, given all line beginnings so far. */
  indent(i: number, lines: Lines): number
  /** The line break, "\n" or "\r\n". */
  readonly lineEnd: string
  /** The text that stands for a token on a line that is indented by some levels. */
  text(i: number, level: number): string
}

/** The lines that have been laid out: the level of the line of each token. */
export interface Lines {
  level(i: number): number
}

const UNIT = '  '

/**
 * The text with its tokens and comments laid out anew. Line breaks stay where they are, at most one empty line in a row; spaces and
 * indentation follow the style. Comments stay as they are.
 */
export function layOut(source: string, tokens: readonly LaidToken[], style: Style, base = 0): string {
  const levels: number[] = []
  const lines: Lines = { level: (i) => levels[i] ?? base }
  let made = ''
  let level = base
  let end = 0
  for (let i = 0; i <= tokens.length; i++) {
    const token = tokens[i]
    const gap = gapOf(source.slice(end, token?.from ?? source.length))
    const isLast = token === undefined
    const begins = isLast || i === 0 || style.begins(i) || endsLine(gap) || gap.some(({ breaks }) => breaks > 0)
    const next = isLast ? base : begins ? base + style.indent(i, lines) : level
    // Comments on lines of their own are indented like what follows, or like the inside of brackets that end.
    const inner = isLast || !closes(token.image) ? next : next + 1
    /** True while the line has only comments. */
    let isNew = made === ''
    for (const { comment, breaks } of gap) {
      const isClosing = comment === null && !isLast && closes(token.image)
      if (comment === null && isLast) break
      if (breaks > 0 && made !== '') {
        made += lineBreak(breaks, made, isClosing, style.lineEnd) + UNIT.repeat(comment === null ? next : inner)
        isNew = true
      } else if (made === '') made += UNIT.repeat(comment === null ? next : inner)
      else if (comment !== null || isNew) made += ' '
      else if (begins) made += style.lineEnd + UNIT.repeat(next)
      else made += style.spaced(i, source.slice(end, token.from) !== '') ? ' ' : ''
      if (comment !== null) made += comment.replace(/[ \t]+$/, '')
    }
    if (isLast) break
    if (begins) level = next
    levels[i] = level
    made += style.text(i, level)
    end = token.from + token.image.length
  }
  return made
}

/** A comment, or null for the token at the end of the gap, with the line breaks before it. */
interface Piece {
  readonly comment: string | null
  readonly breaks: number
}

function gapOf(gap: string): readonly Piece[] {
  const pieces: Piece[] = []
  let breaks = 0
  for (const [part] of gap.matchAll(/\r\n|\n|\r|\/\/[^\n\r]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g)) {
    if (part.startsWith('/')) {
      pieces.push({ comment: part, breaks })
      breaks = 0
    } else breaks++
  }
  pieces.push({ comment: null, breaks })
  return pieces
}

/** True if the last comment of a gap reaches to the end of its line. */
function endsLine(gap: readonly Piece[]): boolean {
  return gap.at(-2)?.comment?.startsWith('//') === true
}

function closes(image: string): boolean {
  return image === '}' || image === ')' || image === ']'
}

/** One line break, or two for an empty line, which never begins or ends the inside of brackets. */
function lineBreak(breaks: number, before: string, isClosing: boolean, lineEnd: string): string {
  return breaks > 1 && !isClosing && !'([{'.includes(before.at(-1) ?? ' ') ? lineEnd.repeat(2) : lineEnd
}

/** The line break of a text: that of its first line. */
export function lineEndOf(text: string): string {
  return /^[^\n\r]*\r\n/.test(text) ? '\r\n' : '\n'
}
