import { createToken, Lexer } from 'chevrotain'
import type { ITokenConfig, TokenType } from 'chevrotain'
import { lazily } from '../../lazily.ts'
import { proven } from '../../proven.ts'
import { endOfLine, scanBlockComment, scanned } from './scan.ts'
import * as t from './tokens.ts'

// The tokens of dialects A and B. Tokens that are written as in C are those of C, so that common code can handle both.

const all: TokenType[] = []

function token(config: ITokenConfig): TokenType {
  const type = createToken(config)
  all.push(type)
  return type
}

token({ name: 'OlderWhiteSpace', pattern: /[ \t\n\r\f]+/, group: Lexer.SKIPPED, line_breaks: true })
token({
  name: 'OlderBlockComment',
  pattern: scanned('/*', scanBlockComment),
  group: Lexer.SKIPPED,
  line_breaks: true,
  start_chars_hint: ['/'],
})
// Unlike in C, a comment at the end of the text needs no line break.
token({
  name: 'OlderLineComment',
  pattern: scanned('//', endOfLine),
  group: Lexer.SKIPPED,
  line_breaks: false,
  start_chars_hint: ['/'],
})
all.push(t.OpenComment)

function scanCode(text: string, from: number): number {
  const end = text.indexOf(text.charAt(from) === '(' ? '@)' : '}}', from + 2)
  return end === -1 ? -1 : end + 2
}

export const JavaExpression = token({
  name: 'JavaExpression',
  label: '`(@ .. @)`',
  pattern: scanned('(@', scanCode),
  line_breaks: true,
  start_chars_hint: ['('],
})
export const JavaMethods = token({
  name: 'JavaMethods',
  label: '`{{ .. }}`',
  pattern: scanned('{{', scanCode),
  line_breaks: true,
  start_chars_hint: ['{'],
})
export const OpenCode = token({
  name: 'OpenCode',
  pattern: (text, offset) =>
    text.startsWith('(@', offset) || text.startsWith('{{', offset) ? [text.slice(offset)] : null,
  line_breaks: true,
  start_chars_hint: ['(', '{'],
})

/** An identifier without `$`, which is a separate token before a name. */
export const OlderIdentifier = createToken({
  name: 'OlderIdentifier',
  label: 'a name',
  pattern: /[A-Za-z_][A-Za-z0-9_$]*/,
})

const words: TokenType[] = []

/** A word that DemeterJ writes without stars and Demeter/C++ between stars. */
function word(text: string): TokenType {
  const name = text.replace(/[-_]/g, '')
  const type = createToken({
    name: `Older_${name}`,
    label: `\`${text}\``,
    pattern: new RegExp(`\\*${text}\\*|${text}`),
    longer_alt: OlderIdentifier,
  })
  words.push(type)
  return type
}

/** A word that is always between stars: without them it is a name. */
function starred(text: string): TokenType {
  const type = createToken({ name: `Older_${text.replace('_', '')}`, label: `\`*${text}*\``, pattern: `*${text}*` })
  words.push(type)
  return type
}

export const Common = word('common')
export const Inherit = starred('inherit')
export const TerminalSets = starred('terminal_sets')
export const Extends = word('extends')
export const Implements = word('implements')
export const Package = word('package')
export const Import = word('import')
export const Include = word('include')
export const Using = word('using')
export const Lookahead = word('lookahead')
export const Interface = word('interface')
export const Noparse = word('noparse')
export const Nogen = word('nogen')
export const Extern = word('extern')
export const Eof = word('EOF')
/** Words about Java and C++ that may precede a class; below, those that may precede a part. */
export const classWords: readonly TokenType[] = [
  ...['public', 'abstract', 'final'].map(word),
  ...['visitor', 'parse'].map(starred),
]
const both = ['static', 'private', 'protected', 'read-only', 'transient', 'derived'].map(word)
export const partWords: readonly TokenType[] = [...both, classWords[0]!, classWords[2]!]
all.push(...words, OlderIdentifier, t.Text, t.OpenText, t.Int)

function sign(name: string, text: string): TokenType {
  return token({ name: `Older_${name}`, label: `\`${text}\``, pattern: text })
}

export const Tilde = sign('Tilde', '~')
export const OpenBracket = sign('OpenBracket', '[')
export const CloseBracket = sign('CloseBracket', ']')
export const OpenBrace = sign('OpenBrace', '{')
export const CloseBrace = sign('CloseBrace', '}')
export const AtAt = sign('AtAt', '@@')
export const At = sign('At', '@')
export const Dollar = sign('Dollar', '$')
all.push(t.DotStar, t.Dot, t.Comma, t.Semicolon, t.Colon, t.Equals, t.Bar)
all.push(t.OpenParen, t.CloseParen, t.OpenAngle, t.CloseAngle, t.PrintCommand)

/** Words that may also be labels and names of packages. */
export const labelWords: readonly TokenType[] = words

export const olderTokenTypes: readonly TokenType[] = all
export const olderLexer = lazily(
  () => new Lexer(all, { ...proven, ensureOptimizations: true, positionTracking: 'onlyStart' }),
)
