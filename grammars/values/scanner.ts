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
} from '../class-dictionary/vocabulary.ts'
import type { Vocabulary } from '../class-dictionary/vocabulary.ts'

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/
/** The size of the token buffer: larger than any lookahead, a power of two. */
const AHEAD = 32
/** The size of the cache of words, a power of two. */
const SEEN = 1024

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

/** The literals, except names, that begin with a character, longest first. */
export type Signs = ReadonlyMap<number, readonly { readonly text: string; readonly token: number }[]>

export function signsOf(vocabulary: Vocabulary): Signs {
  const signs = new Map<number, { text: string; token: number }[]>()
  vocabulary.literals.forEach((text, i) => {
    if (identifier.test(text)) return
    const code = text.charCodeAt(0)
    const list = signs.get(code) ?? []
    signs.set(code, list)
    list.push({ text, token: FIRST_LITERAL + i })
  })
  for (const list of signs.values()) list.sort((a, b) => b.text.length - a.text.length)
  return signs
}

/**
 * Reads the tokens of a value's text in order. The longest match wins, and a literal over other tokens of its length. A
 * literal that begins and ends in a letter or digit does not match if another letter or digit follows. A sign belongs
 * to the number after it. Anything else is UNKNOWN, and scanning stops there.
 */
export class Scanner {
  readonly text: string
  readonly #vocabulary: Vocabulary
  readonly #signs: Signs
  readonly #tokens = new Int32Array(AHEAD)
  readonly #starts = new Int32Array(AHEAD)
  readonly #ends = new Int32Array(AHEAD)
  readonly #words = new Array<string>(AHEAD).fill('')
  /** Words by hash, so that most need not be extracted from the text again. */
  readonly #seen = new Array<string>(SEEN).fill('')
  #first = 0
  #ready = 0
  #at = 0

  constructor(text: string, vocabulary: Vocabulary, signs: Signs) {
    this.text = text
    this.#vocabulary = vocabulary
    this.#signs = signs
  }

  /** The token after `ahead` others; 0: the next one. */
  peek(ahead: number): number {
    while (this.#ready <= ahead) this.#scan()
    return this.#tokens[(this.#first + ahead) & (AHEAD - 1)]!
  }

  /** The offset at which the next token begins; below, at which it ends. */
  start(): number {
    this.peek(0)
    return this.#starts[this.#first]!
  }

  end(): number {
    this.peek(0)
    return this.#ends[this.#first]!
  }

  /** The next token, which is a name. Equal names close to each other share one string. */
  word(): string {
    this.peek(0)
    return this.#words[this.#first]!
  }

  /**
   * The value of the next token, an INT or a NUMBER; null if it is long or has an exponent, so that its text must be
   * parsed. Up to 15 digits and their power of ten are exact, so the quotient is the nearest number.
   */
  short(): number | null {
    const { text } = this
    const end = this.end()
    const start = this.start()
    if (end - start > 15) return null
    const negative = text.charCodeAt(start) === 45
    let value = 0
    let power = 0
    for (let at = negative ? start + 1 : start; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code >= 48) {
        if (code > 57) return null
        value = value * 10 + code - 48
        power *= 10
      } else {
        power = 1
      }
    }
    if (power > 1) value /= power
    return negative && value !== 0 ? -value : value
  }

  skip(): void {
    this.peek(0)
    this.#first = (this.#first + 1) & (AHEAD - 1)
    this.#ready--
  }

  #scan(): void {
    const slot = (this.#first + this.#ready++) & (AHEAD - 1)
    const start = this.#blank(this.#at)
    this.#starts[slot] = start
    if (start >= this.text.length) {
      this.#tokens[slot] = END
      this.#at = this.#ends[slot] = this.text.length
      return
    }
    const { text } = this
    const code = text.charCodeAt(start)
    let token = UNKNOWN
    let end = start + 1
    if (isDigit(code) || (code === 45 && isDigit(text.charCodeAt(start + 1)))) {
      end = this.#digits(start + 1)
      token = INT
      const whole = this.#vocabulary.numbers ? this.#fraction(end) : end
      if (whole > end) {
        end = whole
        token = NUMBER
      }
    } else if (isWord(code)) {
      let hash = code
      for (let next = text.charCodeAt(end); isWord(next); next = text.charCodeAt(++end)) {
        hash = (Math.imul(hash, 31) + next) | 0
      }
      const place = hash & (SEEN - 1)
      let word = this.#seen[place]!
      if (word.length !== end - start || !text.startsWith(word, start)) {
        word = this.#seen[place] = text.slice(start, end)
      }
      this.#words[slot] = word
      token = this.#vocabulary.tokenOf.get(word) ?? IDENT
    } else if (code === 34 && this.#vocabulary.strings) {
      const close = this.#string(start)
      if (close !== -1) {
        token = STRING
        end = close
      }
    } else if (code === 39 && this.#vocabulary.chars) {
      const close = this.#character(start)
      if (close !== -1) {
        token = CHAR
        end = close
      }
    } else if (code === 123 && this.#vocabulary.verbatims && text.charCodeAt(start + 1) === 123) {
      const close = text.indexOf('}}', start + 2)
      if (close !== -1) {
        token = VERBATIM
        end = close + 2
      }
    }
    const signs = this.#signs.get(code)
    if (signs !== undefined) {
      for (const sign of signs) {
        const length = sign.text.length
        if (token !== UNKNOWN && start + length < end) break
        if (!text.startsWith(sign.text, start)) continue
        const behind = start + length
        if (isWord(code) && isWord(text.charCodeAt(behind - 1)) && isWord(text.charCodeAt(behind))) continue
        token = sign.token
        end = behind
        break
      }
    }
    this.#tokens[slot] = token
    this.#ends[slot] = end
    this.#at = token === UNKNOWN ? start : end
  }

  /** The offset after white space and comments; an unclosed comment is not skipped. */
  #blank(from: number): number {
    const { text } = this
    let at = from
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === 32 || code === 10 || code === 13 || code === 9) {
        at++
      } else if (code === 47 && text.charCodeAt(at + 1) === 47 && this.#vocabulary.lineComments) {
        at += 2
        while (at < text.length && text.charCodeAt(at) !== 10 && text.charCodeAt(at) !== 13) at++
      } else if (code === 47 && text.charCodeAt(at + 1) === 42 && this.#vocabulary.blockComments) {
        const close = text.indexOf('*/', at + 2)
        if (close === -1) return at
        at = close + 2
      } else {
        return at
      }
    }
  }

  #digits(from: number): number {
    let at = from
    while (isDigit(this.text.charCodeAt(at))) at++
    return at
  }

  /** The offset after the fraction and the exponent of a number, if any. */
  #fraction(from: number): number {
    const { text } = this
    let at = from
    if (text.charCodeAt(at) === 46 && isDigit(text.charCodeAt(at + 1))) at = this.#digits(at + 2)
    const letter = text.charCodeAt(at)
    if (letter !== 101 && letter !== 69) return at
    const sign = text.charCodeAt(at + 1)
    const digits = sign === 43 || sign === 45 ? at + 2 : at + 1
    return isDigit(text.charCodeAt(digits)) ? this.#digits(digits) : at
  }

  /** The offset after the closing quote; -1: none on the line, or an unknown escape. */
  #string(from: number): number {
    const { text } = this
    for (let at = from + 1; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === 34) return at + 1
      if (code === 10 || code === 13) return -1
      if (code === 92 && !/[ntbrf\\'"0-7]/.test(text.charAt(++at))) return -1
    }
    return -1
  }

  /** The offset after the closing quote of a character; -1: not exactly one whole character and a quote. */
  #character(from: number): number {
    const one = /(?:\\(?:[0-3][0-7]{0,2}|[4-7][0-7]?|[ntbrf\\'"])|[^\\'\n\r\p{Cs}])'/uy
    one.lastIndex = from + 1
    return one.test(this.text) ? one.lastIndex : -1
  }
}
