import type { IToken } from 'chevrotain'
import type { ProblemCode } from '../../problem-codes.ts'
import { behind, closing, enclosing, isOperandEnd, operandStart } from './repair.ts'
import type { Repair } from './repair.ts'
import { BadCharacter, BadComment, BadText, Text } from './tokens.ts'

/** Maximum number of repairs at a time, because some look far back. */
const MOST = 50

/** A sign of another language: the sign or word of this one; a word gets spaces around it. */
type Sign = readonly [code: ProblemCode, instead: string, hint: string]

const EQUAL: Sign = ['equal-sign', '=', 'Equality is written "=".']
const UNEQUAL: Sign = ['unequal-sign', '!=', 'Inequality is written "!=".']
const AT_MOST: Sign = ['order-sign', '<=', 'At most is written "<=".']
const AT_LEAST: Sign = ['order-sign', '>=', 'At least is written ">=".']
const AND: Sign = ['logic-sign', 'and', 'Conditions are joined with the word "and".']
const OR: Sign = ['logic-sign', 'or', 'Conditions are joined with the word "or".']
const NOT: Sign = ['logic-sign', 'not', 'A condition is negated with the word "not".']
const MOD: Sign = ['arithmetic-sign', 'mod', 'The remainder is written "mod".']
const MINUS: Sign = ['arithmetic-sign', '-', 'Minus is the character "-" of the keyboard.']
const TIMES: Sign = ['arithmetic-sign', '*', 'A product is written with "*".']
const OVER: Sign = ['arithmetic-sign', '/', 'A quotient is written with "/".']
const DOTS: Sign = ['range-sign', '..', 'A range is written with two dots, low..high.']
const IN: Sign = ['member-sign', 'in', 'Membership is written "x in list".']
const NOT_IN: Sign = ['member-sign', 'not in', 'Membership is negated with "x not in list".']
const SUBSET: Sign = ['member-sign', 'subset', 'This is written "list subset list".']
const SPACE: Sign = ['space', ' ', 'Type an ordinary space instead.']
const INVISIBLE: Sign = ['space', '', 'Remove it.']

/** In the order in which they are tried: longer ones first. */
const signs: readonly (readonly [string, Sign])[] = [
  ['===', EQUAL],
  ['!==', UNEQUAL],
  ['==', EQUAL],
  [':=', EQUAL],
  ['<>', UNEQUAL],
  ['=<', AT_MOST],
  ['...', DOTS],
  ['&&', AND],
  ['||', OR],
  ['&', AND],
  ['\u2227', AND],
  ['\u2228', OR],
  ['!', NOT],
  ['~', NOT],
  ['\u00ac', NOT],
  ['%', MOD],
  ['\u2264', AT_MOST],
  ['\u2265', AT_LEAST],
  ['\u2260', UNEQUAL],
  ['\u2212', MINUS],
  ['\u2013', MINUS],
  ['\u2014', MINUS],
  ['\u00d7', TIMES],
  ['\u00b7', TIMES],
  ['\u22c5', TIMES],
  ['\u00f7', OVER],
  ['\u2026', DOTS],
  ['\u2208', IN],
  ['\u2209', NOT_IN],
  ['\u2286', SUBSET],
  ['\u2282', SUBSET],
  ...['\u00a0', '\u2002', '\u2003', '\u2007', '\u2009', '\u202f', '\u3000'].map((space) => [space, SPACE] as const),
  ...['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'].map((none) => [none, INVISIBLE] as const),
]

/** The closing quotes for each opening one. */
const quotes: Readonly<Record<string, string>> = {
  "'": "'\u2019",
  '\u2018': "\u2019'\u2018",
  '\u2019': "\u2019'",
  '\u201c': '\u201d\u201c"',
  '\u201d': '\u201d"',
  '\u201e': '\u201c\u201d"',
  '\u00ab': '\u00bb',
  '\u00bb': '\u00ab',
  '`': "`'",
}

/** A place among the tokens of a text. */
interface Place {
  readonly source: string
  readonly tokens: readonly IToken[]
  readonly i: number
  /** The offset of the token `i`. */
  readonly from: number
}

/**
 * Repairs for the signs of other languages, in the order of the text, without overlaps; not necessarily of all of them: after a text in
 * foreign quotes the rest must be divided into tokens again.
 */
export function foreignSigns(source: string, tokens: readonly IToken[]): readonly Repair[] {
  const repairs: Repair[] = []
  let next = 0
  for (const [i, { startOffset, tokenType, image }] of tokens.entries()) {
    if (repairs.length === MOST) break
    if (startOffset < next) continue
    if (tokenType === Text || tokenType === BadText || tokenType === BadComment) continue
    if (tokenType !== BadCharacter && !/^[-+*/<>=!:.]/.test(image)) continue
    const repair = foreignSign({ source, tokens, i, from: startOffset })
    if (repair === null) continue
    repairs.push(repair)
    next = Math.max(repair.to, startOffset + 1)
    // The tokens after this one may be others once it is repaired.
    if (tokenType === BadCharacter && repair.to - startOffset !== image.length) break
  }
  return repairs
}

function foreignSign(place: Place): Repair | null {
  const { source, from } = place
  const character = source.charAt(from)
  const special = specialSign(place, character) ?? arrow(place)
  if (special !== null) return special
  const { tokenType, image } = place.tokens[place.i]!
  // Longer than a sign of this language that begins in the same way.
  const found = signs.find(
    ([text]) => source.startsWith(text, from) && (tokenType === BadCharacter || text.length > image.length),
  )
  if (found === undefined) return null
  const [text, [code, instead, hint]] = found
  if (text === '%' && isLineStart(source, from)) return comment(place, 1)
  return change(place, text.length, instead, code, hint)
}

function specialSign(place: Place, character: string): Repair | null {
  const { source, from, tokens, i } = place
  if (character in quotes) return quoted(place, quotes[character]!)
  switch (character) {
    case '#':
      // `#list` is a length elsewhere; otherwise it begins a comment.
      if (/[\w$]/.test(source.charAt(from + 1)) && /^[-+*/=<>(,[]/.test(tokens[i - 1]?.image ?? '')) return null
      return comment(place, 1)
    case '^':
      return power(place, 1)
    case '*':
      return source.startsWith('**', from) ? power(place, 2) : assignment(place)
    case '+':
    case '/':
      return assignment(place)
    case '?':
      return conditional(place)
    case '|':
      return bar(place)
    case '-':
      return source.startsWith('-=', from) ? assignment(place) : null
    default:
      return null
  }
}

function isLineStart(source: string, at: number): boolean {
  return /(^|[\r\n])[ \t]*$/.test(source.slice(Math.max(0, at - 200), at))
}

function said(text: string): string {
  return `${JSON.stringify(text)} means nothing here.`
}

/** Replaces `length` characters; a word gets the spaces that it needs. */
function change({ source, from }: Place, length: number, instead: string, code: ProblemCode, hint: string): Repair {
  const to = from + length
  const isWord = /^[a-z]/.test(instead)
  const before = isWord && /[\w$")\]]/.test(source.charAt(from - 1)) ? ' ' : ''
  const after = isWord && /[\w$"([]/.test(source.charAt(to)) ? ' ' : ''
  const text = `${before}${instead}${after}`
  return { from, to, text, code, message: said(source.slice(from, to)), hint, certain: true }
}

function comment(place: Place, length: number): Repair {
  return change(place, length, '//', 'comment-sign', 'A comment begins with "//".')
}

function quoted({ source, from }: Place, ends: string): Repair | null {
  const line = /[^\r\n]*/.exec(source.slice(from + 1, from + 2001))?.[0] ?? ''
  const length = Array.from(ends, (end) => line.indexOf(end)).filter((at) => at >= 0)
  if (length.length === 0) return null
  const inner = line.slice(0, Math.min(...length))
  const text = `"${inner.replace(/\\'/g, "'").replace(/(?<!\\)"/g, '\\"')}"`
  const to = from + inner.length + 2
  const hint = 'A text stands in straight double quotes.'
  return { from, to, text, code: 'quotes', message: said(source.charAt(from)), hint, certain: true }
}

/** `x ^ 2` and `x ** 2`: a product, if the exponent is small. */
function power({ source, tokens, i, from }: Place, length: number): Repair {
  const base = tokens[operandStart(tokens, i - 1)]
  const exponent = tokens[i + length]
  const hint = 'Powers have no sign: write the product.'
  const found = { code: 'power-sign' as const, message: said(source.slice(from, from + length)), hint }
  if (base === undefined || exponent === undefined || !/^[2-4]$/.test(exponent.image)) {
    return { ...found, from, to: from + length, text: '*', certain: false }
  }
  const factor = source.slice(base.startOffset, behind(tokens[i - 1]!))
  const text = `(${Array.from({ length: Number(exponent.image) }, () => factor).join(' * ')})`
  return { ...found, at: from, from: base.startOffset, to: behind(exponent), text, certain: true }
}

function assignment(place: Place): Repair | null {
  const { source, from } = place
  const text = ['+=', '-=', '*=', '/=', '++'].find((one) => source.startsWith(one, from))
  if (text === undefined) return null
  if (text === '/=') return change(place, 2, '!=', 'unequal-sign', 'Inequality is written "!=".')
  const hint = 'Values do not change here: name a new one with let, or use sum(...).'
  const instead = text.charAt(0)
  return { from, to: from + 2, text: instead, code: 'assignment-sign', message: said(text), hint, certain: false }
}

/** `c ? a : b` */
function conditional({ source, tokens, i, from }: Place): Repair | null {
  const begin = conditionStart(tokens, i)
  const colon = colonAfter(tokens, i)
  const first = tokens[begin]
  const sign = tokens[colon]
  if (first === undefined || sign === undefined || begin === i) return null
  const condition = source.slice(first.startOffset, behind(tokens[i - 1]!))
  const yes = source.slice(from + 1, sign.startOffset).trim()
  const hint = 'This is written "if condition then a else b".'
  const text = `if ${condition} then ${yes} else`
  const place = { at: from, from: first.startOffset, to: behind(sign), text }
  return { ...place, code: 'conditional-sign', message: said('?'), hint, certain: true }
}

const beforeConditions = /^(require|then|else|where|let|,|;|:)$/
const beforeEquals = /^(measure|bound|belief|\))$/

function conditionStart(tokens: readonly IToken[], i: number): number {
  let depth = 0
  for (let at = i - 1; at >= 0; at--) {
    const { image } = tokens[at]!
    if (/^[)\]}]$/.test(image)) depth++
    else if (/^[([{]$/.test(image) && depth-- === 0) return at + 1
    else if (depth === 0 && beforeConditions.test(image)) return at + 1
    else if (depth === 0 && image === '=' && beforeEquals.test(tokens[at - 1]?.image ?? '')) return at + 1
  }
  return 0
}

function colonAfter(tokens: readonly IToken[], i: number): number {
  let depth = 0
  for (let at = i + 1; at < tokens.length; at++) {
    const { image } = tokens[at]!
    if (/^[([{]$/.test(image)) depth++
    else if (/^[)\]}]$/.test(image) && depth-- === 0) return -1
    else if (depth === 0 && image === ':') return at
  }
  return -1
}

/** `|`: in a bracket before a loop `for`, around an operand nothing that can be guessed, otherwise `or`. */
function bar(place: Place): Repair | null {
  const { source, tokens, i, from } = place
  if (source.startsWith('||', from)) return null
  const bracket = tokens[enclosing(tokens, i)]?.image
  const hint = 'A loop is written [formula for x in list].'
  if (bracket !== undefined && tokens[i + 2]?.image === 'in') return change(place, 1, 'for', 'loop-sign', hint)
  if (!isOperandEnd(tokens[i - 1])) return null
  return change(place, 1, 'or', 'logic-sign', 'Conditions are joined with the word "or".')
}

/** `->`, `<->`, `<=>`, `=>`: a case of match, the type of a result, or an implication. */
function arrow(place: Place): Repair | null {
  const { source, tokens, i, from } = place
  const sign = ['<->', '<=>', '->', '=>'].find((one) => source.startsWith(one, from))
  if (sign === undefined) return null
  const single = sign === '->' || sign === '=>'
  if (single && isCase(tokens, i))
    return change(place, 2, ':', 'case-sign', 'A case of match is written "Alternative name: formula".')
  const result =
    single && tokens[i - 1]?.image === ')' ? /^\s*[\w$ ]+?(?=\s*[=:{])/.exec(source.slice(from + 2, from + 102)) : null
  if (result !== null && definesFunction(tokens, i - 1)) {
    const hint = 'The type of the result is not written.'
    const to = from + 2 + result[0].length
    return { from, to, text: '', code: 'type-of-result', message: said(sign), hint, certain: true }
  }
  if (sign === '=>' && /^\s*-?\d/.test(source.slice(from + 2, from + 20)))
    return change(place, 2, '>=', 'order-sign', 'At least is written ">=".')
  const hint = single ? '"a implies b" is written "not a or b".' : 'For conditions this is written "(a) = (b)".'
  const text = single ? ' or ' : ' and '
  return { from, to: from + sign.length, text, code: 'implication-sign', message: said(sign), hint, certain: false }
}

function isCase(tokens: readonly IToken[], i: number): boolean {
  for (const back of [1, 2]) {
    if (!/^[A-Za-z$_]/.test(tokens[i - back]?.image ?? '')) return false
    const before = tokens[i - back - 1]
    if (before?.image === '{' || before?.image === ',') {
      const open = enclosing(tokens, i)
      return tokens[open]?.image === '{' && closing(tokens, open) > 0
    }
  }
  return false
}

/** Does the bracket that ends at `i` hold the parameters of a definition? */
function definesFunction(tokens: readonly IToken[], i: number): boolean {
  const open = enclosing(tokens, i)
  return /^(define|def|function|fn|func)$/.test(tokens[open - 2]?.image ?? '')
}
