import {
  CHAR,
  END,
  FIRST_LITERAL,
  IDENT,
  INT,
  NUMBER,
  STRING,
  UNKNOWN,
  VERBATIM,
  type Vocabulary,
} from '../class-dictionary/vocabulary.ts'

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/
/** The size of the cache of words, a power of two. */
const SEEN = 1024
/** A longer word keeps its whole text in memory, so it is cached only while that text is read. */
const KEPT = 12
const ASCII = 128

/** True for a letter, digit, underscore or dollar. */
export function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36
  )
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Is this text one name, and not a keyword of the dictionary? */
export function isIdent(vocabulary: Vocabulary, text: string): boolean {
  return identifier.test(text) && !vocabulary.tokenOf.has(text)
}

interface Sign {
  readonly text: string
  readonly token: number
}

/** The tokens of a dictionary's values by the characters that they begin with. */
export interface Signs {
  readonly vocabulary: Vocabulary
  /** The literals, except names, that begin with a character, longest first. */
  readonly longest: ReadonlyMap<number, readonly Sign[]>
  /** By ASCII character: the only token that can begin with it, which is this character alone; else 0. */
  readonly only: Int32Array
  /** By ASCII character: 1 if a literal that is not a name begins with it. */
  readonly begins: Uint8Array
  readonly words: Words
}

/** Words by hash, with their tokens, so that most need not be extracted from a text again. */
interface Words {
  readonly texts: string[]
  readonly tokens: Int32Array
  /** True if some are longer than KEPT. */
  long: boolean
}

export function signsOf(vocabulary: Vocabulary): Signs {
  const longest = new Map<number, Sign[]>()
  vocabulary.literals.forEach((text, i) => {
    if (identifier.test(text)) return
    const code = text.charCodeAt(0)
    const list = longest.get(code) ?? []
    longest.set(code, list)
    list.push({ text, token: FIRST_LITERAL + i })
  })
  const only = new Int32Array(ASCII)
  const begins = new Uint8Array(ASCII)
  for (const [code, list] of longest) {
    list.sort((a, b) => b.text.length - a.text.length)
    if (code >= ASCII) continue
    begins[code] = 1
    if (list[0]!.text.length === 1 && !isWord(code) && !`-/"'{`.includes(list[0]!.text)) only[code] = list[0]!.token
  }
  const words = { texts: new Array<string>(SEEN).fill(''), tokens: new Int32Array(SEEN), long: false }
  return { vocabulary, longest, only, begins, words }
}

/** A token of a text, and the place behind it. It is overwritten by the next one, so that tokens are not objects. */
export interface Cursor {
  readonly text: string
  readonly signs: Signs
  token: number
  /** The offset at which the token begins; below, at which it ends, and the next one is looked for. */
  start: number
  end: number
  /** The text of an IDENT. */
  word: string
  /** The value of a short INT or NUMBER; NaN if it is long or has an exponent, so that its text must be parsed. */
  number: number
}

/** A cursor before the first token of a text. */
export function cursorOf(text: string, signs: Signs): Cursor {
  return { text, signs, token: UNKNOWN, start: 0, end: 0, word: '', number: NaN }
}

/**
 * Reads the next token. The longest match wins, and a literal over other tokens of its length. A literal that begins and
 * ends in a letter or digit does not match if another letter or digit follows. A sign belongs to the number after it.
 * Anything else is UNKNOWN, and scanning stops there. END repeats.
 */
export function advance(cursor: Cursor): void {
  const { text, signs } = cursor
  const { length } = text
  let at = cursor.end
  let code = 0
  for (; at < length; at++) {
    code = text.charCodeAt(at)
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) break
  }
  if (code === 47 && at < length) {
    at = afterBlank(text, at, signs.vocabulary)
    if (at < length) code = text.charCodeAt(at)
  }
  if (at >= length) {
    cursor.token = END
    cursor.start = cursor.end = length
    return
  }
  cursor.start = at
  if (code < ASCII) {
    const only = signs.only[code]!
    if (only !== 0) {
      cursor.token = only
      cursor.end = at + 1
      return
    }
    if (isDigit(code)) readNumber(cursor, at, code - 48)
    else if (isWord(code)) readWord(cursor, code)
    else if (code === 45 && at + 1 < length && isDigit(text.charCodeAt(at + 1))) readNumber(cursor, at, 0)
    else readQuoted(cursor, code)
    if (signs.begins[code] === 1) readSign(cursor, code)
  } else {
    cursor.token = UNKNOWN
    readSign(cursor, code)
  }
  if (cursor.token === UNKNOWN) cursor.end = at
}

/** Reads an INT or a NUMBER. Up to 15 digits are exact. */
function readNumber(cursor: Cursor, start: number, first: number): void {
  const { text } = cursor
  const { length } = text
  let value = first
  let end = start + 1
  for (; end < length; end++) {
    const digit = text.charCodeAt(end) - 48
    if (digit < 0 || digit > 9) break
    value = value * 10 + digit
  }
  cursor.token = INT
  cursor.end = end
  if (cursor.signs.vocabulary.numbers) {
    const whole = afterFraction(text, end)
    if (whole > end) {
      cursor.token = NUMBER
      cursor.end = whole
      cursor.number = shortNumber(text, start, whole)
      return
    }
  }
  cursor.number = end - start > 15 ? NaN : value !== 0 && text.charCodeAt(start) === 45 ? -value : value
}

/** The value of a number of up to 15 characters without an exponent, else NaN. Digits and their power of ten are exact, so the quotient is the nearest number. */
function shortNumber(text: string, start: number, end: number): number {
  if (end - start > 15) return NaN
  const negative = text.charCodeAt(start) === 45
  let value = 0
  let power = 0
  for (let at = negative ? start + 1 : start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code >= 48) {
      if (code > 57) return NaN
      value = value * 10 + code - 48
      power *= 10
    } else {
      power = 1
    }
  }
  if (power > 1) value /= power
  return negative && value !== 0 ? -value : value
}

/** Reads a name or a literal that looks like one. */
function readWord(cursor: Cursor, first: number): void {
  const { text, start, signs } = cursor
  const { length } = text
  let hash = first
  let end = start + 1
  for (; end < length; end++) {
    const code = text.charCodeAt(end)
    if (!isWord(code)) break
    hash = (Math.imul(hash, 31) + code) | 0
  }
  const place = hash & (SEEN - 1)
  const { texts, tokens } = signs.words
  let word = texts[place]!
  if (!isAt(word, text, start, end)) {
    word = texts[place] = text.slice(start, end)
    tokens[place] = signs.vocabulary.tokenOf.get(word) ?? IDENT
    if (word.length > KEPT) signs.words.long = true
  }
  cursor.word = word
  cursor.token = tokens[place]!
  cursor.end = end
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  const { length } = word
  if (length !== end - start) return false
  if (length > KEPT) return text.startsWith(word, start)
  for (let i = 0; i < length; i++) if (word.charCodeAt(i) !== text.charCodeAt(start + i)) return false
  return true
}

/** Forgets the words that keep a text in memory. */
export function forgetLongWords({ words }: Signs): void {
  if (!words.long) return
  words.long = false
  for (let i = 0; i < SEEN; i++) if (words.texts[i]!.length > KEPT) words.texts[i] = ''
}

/** Reads a string, a character or a verbatim text, else UNKNOWN. */
function readQuoted(cursor: Cursor, code: number): void {
  const { text, start } = cursor
  const { vocabulary } = cursor.signs
  cursor.token = UNKNOWN
  if (code === 34 && vocabulary.strings) {
    readTo(cursor, STRING, afterString(text, start))
  } else if (code === 39 && vocabulary.chars) {
    readTo(cursor, CHAR, afterCharacter(text, start))
  } else if (code === 123 && vocabulary.verbatims && text.charCodeAt(start + 1) === 123) {
    const close = text.indexOf('}}', start + 2)
    readTo(cursor, VERBATIM, close === -1 ? -1 : close + 2)
  }
}

function readTo(cursor: Cursor, token: number, end: number): void {
  if (end === -1) return
  cursor.token = token
  cursor.end = end
}

/** Replaces the token by the longest literal here that is not a name, if that is not shorter. */
function readSign(cursor: Cursor, code: number): void {
  const { text, start } = cursor
  const list = cursor.signs.longest.get(code)
  if (list === undefined) return
  for (const sign of list) {
    const behind = start + sign.text.length
    if (cursor.token !== UNKNOWN && behind < cursor.end) return
    if (!text.startsWith(sign.text, start)) continue
    if (isWord(code) && isWord(text.charCodeAt(behind - 1)) && isWord(text.charCodeAt(behind))) continue
    cursor.token = sign.token
    cursor.end = behind
    return
  }
}

/** The offset after white space and comments; an unclosed comment is not skipped. */
function afterBlank(text: string, from: number, vocabulary: Vocabulary): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === 32 || code === 10 || code === 13 || code === 9) {
      at++
    } else if (code === 47 && text.charCodeAt(at + 1) === 47 && vocabulary.lineComments) {
      at += 2
      while (at < text.length && text.charCodeAt(at) !== 10 && text.charCodeAt(at) !== 13) at++
    } else if (code === 47 && text.charCodeAt(at + 1) === 42 && vocabulary.blockComments) {
      const close = text.indexOf('*/', at + 2)
      if (close === -1) return at
      at = close + 2
    } else {
      return at
    }
  }
}

function afterDigits(text: string, from: number): number {
  let at = from
  while (isDigit(text.charCodeAt(at))) at++
  return at
}

/** The offset after the fraction and the exponent of a number, if any. */
function afterFraction(text: string, from: number): number {
  let at = from
  if (at >= text.length) return at
  let letter = text.charCodeAt(at)
  if (letter === 46 && isDigit(text.charCodeAt(at + 1))) letter = text.charCodeAt((at = afterDigits(text, at + 2)))
  if (letter !== 101 && letter !== 69) return at
  const sign = text.charCodeAt(at + 1)
  const digits = sign === 43 || sign === 45 ? at + 2 : at + 1
  return isDigit(text.charCodeAt(digits)) ? afterDigits(text, digits) : at
}

/** The offset after the closing quote; -1: none on the line, or an unknown escape. */
function afterString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 34) return at + 1
    if (code === 10 || code === 13) return -1
    if (code === 92 && !/[ntbrf\\'"0-7]/.test(text.charAt(++at))) return -1
  }
  return -1
}

/** The offset after the closing quote of a character; -1: not exactly one whole character and a quote. */
function afterCharacter(text: string, from: number): number {
  const one = /(?:\\(?:[0-3][0-7]{0,2}|[4-7][0-7]?|[ntbrf\\'"])|[^\\'\n\r\p{Cs}])'/uy
  one.lastIndex = from + 1
  return one.test(text) ? one.lastIndex : -1
}
