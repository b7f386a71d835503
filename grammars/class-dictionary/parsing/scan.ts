import type { CustomPatternMatcherReturn } from 'chevrotain'

// Strings and comments are scanned without regular expressions: an unterminated one is then a separate token, so that
// the text after it is read only once, and no regular expression can overflow its stack on a long one.

export function scanString(text: string, from: number): number {
  for (let i = from + 1; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 34) return i + 1
    if (c === 10 || c === 13) return -1
    if (c === 92) {
      const next = text.charCodeAt(++i)
      // n t b r f \ ' " and octal digits
      if (!(next >= 48 && next <= 55) && !'ntbrf\\\'"'.includes(text.charAt(i) || ' ')) return -1
    }
  }
  return -1
}

export function scanBlockComment(text: string, from: number): number {
  const end = text.indexOf('*/', from + 2)
  return end === -1 ? -1 : end + 2
}

export function endOfLine(text: string, from: number): number {
  let i = from
  while (i < text.length && text.charCodeAt(i) !== 10 && text.charCodeAt(i) !== 13) i++
  return i
}

export function scanLineComment(text: string, from: number): number {
  const end = endOfLine(text, from)
  if (end === text.length) return -1
  return text.startsWith('\r\n', end) ? end + 2 : end + 1
}

/** A token that starts with `opening` and ends where `scan` says; -1: there is none. */
export function scanned(
  opening: string,
  scan: (text: string, from: number) => number,
): (text: string, offset: number) => CustomPatternMatcherReturn | null {
  return (text, offset) => {
    if (!text.startsWith(opening, offset)) return null
    const end = scan(text, offset)
    return end === -1 ? null : [text.slice(offset, end)]
  }
}
