import type { IToken } from 'chevrotain'
import type { Problem } from '../../problem.ts'
import { lexicalNames } from '../built-in.ts'
import { labelFor } from '../label.ts'
import type { Dialect } from '../model.ts'
import * as o from './older-tokens.ts'
import * as t from './tokens.ts'

/** The parts of a problem besides its sentence. */
type Advice = Pick<Problem, 'code' | 'hint' | 'remedy'>

export function isName(token: IToken | undefined): boolean {
  return token?.tokenType === t.Identifier || token?.tokenType === o.OlderIdentifier
}

export function definesBehind(tokens: readonly IToken[], i: number): boolean {
  const next = tokens[i + 1]?.tokenType
  return next === t.Equals || next === o.Tilde
}

/**
 * Advice for the token `i` at which the parser stopped. `shift`: what is added to the offsets of tokens. `before`: the token behind which
 * something is missing.
 */
export function syntaxAdvice(
  tokens: readonly IToken[],
  i: number,
  shift: number,
  dialect: Dialect,
): Advice & { readonly before?: IToken } {
  const token = tokens[i]
  const before = tokens[i - 1]
  const replace = (first: IToken, last: IToken, text: string): Pick<Advice, 'remedy'> => ({
    remedy: { from: shift + first.startOffset, to: shift + last.startOffset + last.image.length, text },
  })
  if (token === undefined || (isName(token) && definesBehind(tokens, i) && before?.tokenType !== t.Bar)) {
    const hint = token === undefined ? 'A class must end with a dot.' : 'The class before it must end with a dot.'
    if (before === undefined) return { code: 'syntax', hint }
    const end = shift + before.startOffset + before.image.length
    return { code: 'dot-missing', hint, before, remedy: { from: end, to: end, text: '.' } }
  }
  const type = token.tokenType
  if (type === t.Semicolon && before !== undefined) {
    return { code: 'dot-missing', hint: 'A class ends with a dot.', ...replace(token, token, '.') }
  }
  const sign = equalSign(tokens, i)
  if (sign !== null) return { code: 'equal-sign', hint: 'A class is written `A = ...`', ...replace(token, sign, '=') }
  if (/^(red|black|true|false)$/.test(token.image)) {
    return { code: 'syntax', hint: `\`${token.image}\` is a reserved word; choose another name.` }
  }
  if (/^(Word|Older)_/.test(type.name) && /^[A-Za-z]/.test(token.image)) {
    return { code: 'syntax', hint: `\`${token.image}\` is a keyword and not allowed here.` }
  }
  if (type === t.OpenAngle) {
    const hint = 'Type arguments are written in parentheses, such as `List(int)`.'
    const close = tokens.findIndex((one, at) => at > i && one.tokenType === t.CloseAngle)
    const inner = tokens.slice(i + 1, close).map(({ image }) => image)
    if (close === -1 || before === undefined || !isName(before)) return { code: 'syntax', hint }
    return { code: 'type-arguments', hint, ...replace(token, tokens[close]!, `(${inner.join(' ')})`) }
  }
  // `List<int>` before a dot: the brackets were read as those of a label.
  const [owner, angle, label] = tokens.slice(i - 4, i - 1)
  if (
    before?.tokenType === t.CloseAngle &&
    owner !== undefined &&
    angle?.tokenType === t.OpenAngle &&
    label !== undefined
  ) {
    if (isName(owner) && owner.startOffset + owner.image.length === angle.startOffset) {
      const hint = 'Type arguments are written in parentheses, such as `List(int)`.'
      return { code: 'type-arguments', hint, ...replace(angle, before, `(${label.image})`) }
    }
  }
  if (dialect === 'C') return partAdvice(tokens, i, replace)
  if (type === t.Bar) {
    return {
      code: 'abstract-sign',
      hint: `In dialect ${dialect} an abstract class is written \`A : B | C.\`, with \`:\`.`,
    }
  }
  return { code: 'syntax' }
}

function partAdvice(
  tokens: readonly IToken[],
  i: number,
  replace: (first: IToken, last: IToken, text: string) => Pick<Advice, 'remedy'>,
): Advice {
  const [first, before, token] = [tokens[i - 2], tokens[i - 1], tokens[i]!]
  const hint = 'A part is written `<label> Class`.'
  if (token.tokenType === t.Colon && before !== undefined) {
    // `weight: int`
    if (first !== undefined && first.tokenType !== t.Dot && isName(tokens[i + 1])) {
      return { code: 'label-missing', hint, ...replace(before, token, `<${before.image}>`) }
    }
    const abstract = 'In dialect C an abstract class is written `A = B | C.`, with `=`.'
    return { code: 'abstract-sign', hint: abstract, ...replace(token, token, '=') }
  }
  if (token.tokenType !== t.Identifier) return { code: 'syntax' }
  const next = tokens[i + 1]
  if (next?.tokenType === t.Colon && isName(tokens[i + 2])) {
    return { code: 'label-missing', hint, ...replace(token, next, `<${token.image}>`) }
  }
  if (next?.tokenType === t.Identifier && lexicalNames.has(token.image) && /^[a-z]/.test(next.image)) {
    return { code: 'type-first', hint, ...replace(token, next, `<${next.image}> ${token.image}`) }
  }
  // `int weight`
  if (
    before !== undefined &&
    lexicalNames.has(before.image) &&
    /^[a-z]/.test(token.image) &&
    !lexicalNames.has(token.image)
  ) {
    return { code: 'type-first', hint, ...replace(before, token, `<${token.image}> ${before.image}`) }
  }
  const text = `<${labelFor(token.image)}> ${token.image}`
  return { code: 'label-missing', hint: `A part needs a label, such as \`${text}\`.`, ...replace(token, token, text) }
}

/** The last token of `::=`, `:=` or `->` behind the name of a class; null: there is none. */
function equalSign(tokens: readonly IToken[], i: number): IToken | null {
  const sign = [0, 1, 2].map((more) => tokens[i + more]?.image ?? '')
  if (!isName(tokens[i - 1])) return null
  if (sign[0] === ':' && sign[1] === '=') return tokens[i + 1]!
  if (sign[0] === ':' && sign[1] === ':' && sign[2] === '=') return tokens[i + 2]!
  return sign[0] === '-' && sign[1] === '>' ? tokens[i + 1]! : null
}

const charactersOfA: ReadonlyMap<string, string> = new Map([
  ['[', 'Optional parts are written `<label> Option(Class)`.'],
  ['~', 'Repetitions are written `<label> List(Class)`.'],
  ['{', 'Repetitions are written `<label> List(Class)`.'],
  ['*', 'Printing commands are *s *t *l *r. Words between stars belong to older dialects; shared parts need none.'],
  ['?', 'Optional parts are written `<label> Option(Class)`.'],
])
const quotes: Readonly<Record<string, string>> = {
  "'": "'",
  '`': '`',
  '\u2018': '\u2019',
  '\u201c': '\u201d',
  '\u201e': '\u201c',
  '\u00ab': '\u00bb',
}

/** Advice for a character that begins no token. `shift`: what is added to offsets. */
export function characterAdvice(text: string, at: number, shift: number, dialect: Dialect): Advice {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  const replace = (from: number, to: number, put: string): Pick<Advice, 'remedy'> => ({
    remedy: { from: shift + from, to: shift + to, text: put },
  })
  if (character === '\ufeff')
    return { code: 'space', hint: 'Save the file without a byte order mark.', ...replace(at, at + 1, '') }
  if (/^[\u00a0\u2002-\u200d\u202f\u2060\u3000]$/.test(character)) {
    return { code: 'space', hint: 'Type an ordinary space instead.', ...replace(at, at + 1, ' ') }
  }
  if (character === '#')
    return { code: 'comment-sign', hint: 'A comment begins with `//`.', ...replace(at, at + 1, '//') }
  if (character in quotes) {
    const line = /[^\r\n]*/.exec(text.slice(at + 1, at + 1001))?.[0] ?? ''
    const end = line.indexOf(quotes[character]!)
    const hint = 'Literals are written in double quotes.'
    if (end === -1) return { code: 'quotes', hint }
    return { code: 'quotes', hint, ...replace(at, at + end + 2, `"${line.slice(0, end).replace(/"/g, '\\"')}"`) }
  }
  if (dialect !== 'C') return { code: 'character', hint: 'Remove it.' }
  if (character === '[' && /[A-Za-z0-9_]$/.test(text.slice(Math.max(0, at - 1), at))) {
    const [whole, inner] = /^\[([^\][\r\n]*)\]/.exec(text.slice(at, at + 1001)) ?? []
    const hint = 'Type arguments are written in parentheses, such as `List(int)`.'
    if (whole !== undefined)
      return { code: 'type-arguments', hint, ...replace(at, at + whole.length, `(${inner ?? ''})`) }
  }
  const older = charactersOfA.get(character)
  const hint = older ?? ''
  const [whole, name] = /^[[{]\s*([A-Za-z_]\w*)\s*[}\]]/.exec(text.slice(at, at + 1001)) ?? []
  if (whole !== undefined && name !== undefined) {
    const put = `${character === '[' ? 'Option' : 'List'}(${name})`
    return { code: 'repetition-sign', hint, ...replace(at, at + whole.length, put) }
  }
  const [item] = /[A-Za-z_]\w*$/.exec(text.slice(Math.max(0, at - 100), at)) ?? []
  if (item !== undefined && /^[*?]$/.test(character)) {
    const put = `${character === '?' ? 'Option' : 'List'}(${item})`
    return { code: 'repetition-sign', hint, ...replace(at - item.length, at + 1, put) }
  }
  return older === undefined ? { code: 'character', hint: 'Remove it.' } : { code: 'repetition-sign', hint: older }
}
