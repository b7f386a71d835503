import { createToken, Lexer } from 'chevrotain'
import type { CustomPatternMatcherReturn, ITokenConfig, TokenType } from 'chevrotain'

// Strings and comments are scanned by hand: an unterminated one is then a token of its own that ends where it stops, so
// that the text behind it is read once, and no regular expression can exhaust its stack on a long one.

function scanString(text: string, from: number): number {
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

function scanBlockComment(text: string, from: number): number {
  const end = text.indexOf('*/', from + 2)
  return end === -1 ? -1 : end + 2
}

function endOfLine(text: string, from: number): number {
  let i = from
  while (i < text.length && text.charCodeAt(i) !== 10 && text.charCodeAt(i) !== 13) i++
  return i
}

function scanLineComment(text: string, from: number): number {
  const end = endOfLine(text, from)
  if (end === text.length) return -1
  return text.startsWith('\r\n', end) ? end + 2 : end + 1
}

/** A token that starts with `opening` and ends where `scan` says; -1: there is none. */
function scanned(
  opening: string,
  scan: (text: string, from: number) => number,
): (text: string, offset: number) => CustomPatternMatcherReturn | null {
  return (text, offset) => {
    if (!text.startsWith(opening, offset)) return null
    const end = scan(text, offset)
    return end === -1 ? null : [text.slice(offset, end)]
  }
}

const all: TokenType[] = []

function token(config: ITokenConfig): TokenType {
  const type = createToken(config)
  all.push(type)
  return type
}

token({ name: 'WhiteSpace', pattern: /[ \t\n\r]+/, group: Lexer.SKIPPED, line_breaks: true })
token({
  name: 'BlockComment',
  pattern: scanned('/*', scanBlockComment),
  group: Lexer.SKIPPED,
  line_breaks: true,
  start_chars_hint: ['/'],
})
token({
  name: 'LineComment',
  pattern: scanned('//', scanLineComment),
  group: Lexer.SKIPPED,
  line_breaks: true,
  start_chars_hint: ['/'],
})
export const OpenComment = token({
  name: 'OpenComment',
  pattern: scanned('/*', (text) => text.length),
  line_breaks: true,
  start_chars_hint: ['/'],
})
export const OpenLineComment = token({
  name: 'OpenLineComment',
  pattern: scanned('//', endOfLine),
  line_breaks: false,
  start_chars_hint: ['/'],
})

export const Identifier = createToken({ name: 'Identifier', label: 'a name', pattern: /[A-Za-z_$][A-Za-z0-9_$]*/ })

function keyword(word: string): TokenType {
  return token({ name: `Word_${word}`, label: `\`${word}\``, pattern: word, longer_alt: Identifier })
}

export const IncludeWord = keyword('include')
export const UsingWord = keyword('using')
export const PackageWord = keyword('package')
export const ImportWord = keyword('import')
export const LookaheadWord = keyword('lookahead')
export const NogenWord = keyword('nogen')
export const NoparseWord = keyword('noparse')
export const ExternWord = keyword('extern')
export const InterfaceWord = keyword('interface')
export const ImplementsWord = keyword('implements')
export const EofWord = keyword('EOF')
// Reserved and without a use: the 2011 parser refuses them as names, red and black by an accident of its library.
for (const word of ['red', 'black', 'true', 'false']) keyword(word)
all.push(Identifier)

export const Text = token({
  name: 'Text',
  label: 'a quoted literal',
  pattern: scanned('"', scanString),
  line_breaks: false,
  start_chars_hint: ['"'],
})
export const OpenText = token({
  name: 'OpenText',
  pattern: scanned('"', endOfLine),
  line_breaks: false,
  start_chars_hint: ['"'],
})
export const Int = token({ name: 'Int', label: 'a whole number', pattern: /0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*/ })

function sign(name: string, text: string): TokenType {
  return token({ name, label: `\`${text}\``, pattern: text })
}

export const DotStar = sign('DotStar', '.*')
export const Dot = sign('Dot', '.')
export const Comma = sign('Comma', ',')
export const Semicolon = sign('Semicolon', ';')
export const Colon = sign('Colon', ':')
export const Equals = sign('Equals', '=')
export const Bar = sign('Bar', '|')
export const OpenParen = sign('OpenParen', '(')
export const CloseParen = sign('CloseParen', ')')
export const OpenAngle = sign('OpenAngle', '<')
export const CloseAngle = sign('CloseAngle', '>')

/** Printing commands are tokens without a word boundary: `*static*` is `*s` and `tatic`. */
export const PrintCommand = token({ name: 'PrintCommand', label: 'a printing command', pattern: /\*[stlr]|[+-]/ })

export const tokenTypes: readonly TokenType[] = all
export const lexer = new Lexer(all, { ensureOptimizations: true, positionTracking: 'onlyStart' })
