import { createToken, Lexer } from 'chevrotain'
import type { TokenType } from 'chevrotain'

/** A possible label of a field: a name or a word of the language. */
export const Word = createToken({ name: 'Word', label: 'a name', pattern: Lexer.NA })
export const Name = createToken({
  name: 'Name',
  label: 'a name',
  pattern: /[A-Za-z$_][A-Za-z0-9_$]*/,
  categories: [Word],
})

/** A reserved word. */
function reserved(word: string): TokenType {
  return createToken({
    name: `Reserved_${word}`,
    label: `"${word}"`,
    pattern: word,
    longer_alt: Name,
    categories: [Word],
  })
}

/** A word that has a meaning in some positions and can be used as a name in all others. */
export function word(text: string): TokenType {
  return createToken({
    name: `Word_${text}`,
    label: `"${text}"`,
    pattern: text,
    longer_alt: Name,
    categories: [Name, Word],
  })
}

function symbol(name: string, text: string): TokenType {
  return createToken({ name, label: `"${text}"`, pattern: text })
}

export const If = reserved('if')
export const Then = reserved('then')
export const Else = reserved('else')
export const Let = reserved('let')
export const Match = reserved('match')
export const For = reserved('for')
export const In = reserved('in')
export const Where = reserved('where')
export const Or = reserved('or')
export const And = reserved('and')
export const Not = reserved('not')
export const Div = reserved('div')
export const Mod = reserved('mod')
export const Subset = reserved('subset')
export const True = reserved('true')
export const False = reserved('false')
export const Define = reserved('define')
export const Require = reserved('require')

export const At = word('at')
export const From = word('from')
export const List = word('list')
export const Option = word('option')
export const Of = word('of')

export const Dots = symbol('Dots', '..')
export const Dot = symbol('Dot', '.')
export const Comma = symbol('Comma', ',')
export const Colon = symbol('Colon', ':')
export const Semicolon = symbol('Semicolon', ';')
export const LeftParen = symbol('LeftParen', '(')
export const RightParen = symbol('RightParen', ')')
export const LeftBracket = symbol('LeftBracket', '[')
export const RightBracket = symbol('RightBracket', ']')
export const LeftBrace = symbol('LeftBrace', '{')
export const RightBrace = symbol('RightBrace', '}')
export const AtMost = symbol('AtMost', '<=')
export const AtLeast = symbol('AtLeast', '>=')
export const Unequal = symbol('Unequal', '!=')
export const Less = symbol('Less', '<')
export const Greater = symbol('Greater', '>')
export const Equal = symbol('Equal', '=')
export const Plus = symbol('Plus', '+')
export const Minus = symbol('Minus', '-')
export const Times = symbol('Times', '*')
export const Over = symbol('Over', '/')

export const Numeral = createToken({ name: 'Numeral', label: 'a number', pattern: /\d+(?:\.\d+)?/ })
export const Text = createToken({
  name: 'Text',
  label: 'a text in quotes',
  pattern: /"(?:[^"\\\n\r]|\\["\\nt{}])*"/,
  line_breaks: false,
})

/** A text that is not closed on its line, or has an invalid backslash. */
export const BadText = createToken({
  name: 'BadText',
  pattern: /"(?:[^"\\\n\r]|\\[^\n\r])*(?:"|\\)?/,
  line_breaks: false,
})

const Space = createToken({ name: 'Space', pattern: /[ \t\r\n]+/, group: Lexer.SKIPPED, line_breaks: true })
const LineComment = createToken({ name: 'LineComment', pattern: /\/\/[^\n\r]*/, group: Lexer.SKIPPED })
const BlockComment = createToken({
  name: 'BlockComment',
  pattern: /\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//,
  group: Lexer.SKIPPED,
  line_breaks: true,
})

/** An unclosed comment. Such tokens extend to the end of the text, so that the rest is not searched repeatedly. */
export const BadComment = createToken({ name: 'BadComment', pattern: /\/\*[^]*/, line_breaks: true })

/**
 * Characters that begin no other token: with it every text has tokens, and the lexer never needs its own slow recovery.
 * Listed explicitly, because a complement such as [^] would keep the lexer from selecting patterns by first character.
 */
export const BadCharacter = createToken({
  name: 'BadCharacter',
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  pattern: /[\0-\x08\x0b\x0c\x0e-\x1f!#%&'?@\\^`|~\x7f-\uffff]+/,
  line_breaks: false,
})

/** In matching order. A larger language puts its own tokens first; `lastTokens` come at the end. */
export const formulaTokens: readonly TokenType[] = [
  Space,
  LineComment,
  BlockComment,
  BadComment,
  ...[If, Then, Else, Let, Match, For, In, Where, Or, And, Not, Div, Mod, Subset, True, False, Define, Require],
  ...[At, From, List, Option, Of],
  Numeral,
  Text,
  BadText,
  ...[Dots, Dot, Comma, Colon, Semicolon],
  ...[LeftParen, RightParen, LeftBracket, RightBracket, LeftBrace, RightBrace],
  ...[AtMost, AtLeast, Unequal, Less, Greater, Equal, Plus, Minus, Times, Over],
]

export const lastTokens: readonly TokenType[] = [Name, BadCharacter]

/** The value of a text token: without quotes, escapes resolved. */
export function textOf(image: string): string {
  return image.slice(1, -1).replace(/\\(.)/g, (_, escaped: string) => ({ n: '\n', t: '\t' })[escaped] ?? escaped)
}
