import { createToken, Lexer } from 'chevrotain'
import type { ITokenConfig, TokenType } from 'chevrotain'
import { lazily } from '../../lazily.ts'
import { proven } from '../../proven.ts'
import { endOfLine, scanBlockComment, scanLineComment, scanned, scanString } from './scan.ts'

const all: TokenType[] = []

function token(config: ITokenConfig): TokenType {
  const type = createToken(config)
  all.push(type)
  return type
}

// Separate from line breaks, because the lexer counts lines only in tokens that may contain line breaks.
token({ name: 'Blank', pattern: /[ \t]+/, group: Lexer.SKIPPED, line_breaks: false })
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

/** Matches a keyword without a regular expression, because the keywords are tried for most names. */
function keyword(word: string): TokenType {
  return token({
    name: `Word_${word}`,
    label: `\`${word}\``,
    pattern: (text, offset) => (text.startsWith(word, offset) ? [word] : null),
    line_breaks: false,
    start_chars_hint: [word.charAt(0)],
    longer_alt: Identifier,
  })
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
// Reserved but unused: the 2011 parser refuses them as names, red and black by an accident of its library.
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

/** Printing commands have no word boundary: `*static*` is read as `*s` and `tatic`. */
export const PrintCommand = token({ name: 'PrintCommand', label: 'a printing command', pattern: /\*[stlr]|[+-]/ })

export const tokenTypes: readonly TokenType[] = all
export const lexer = lazily(
  () => new Lexer(all, { ...proven, ensureOptimizations: true, positionTracking: 'onlyStart' }),
)
