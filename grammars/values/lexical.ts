import type { Lexical } from '../class-dictionary/built-in.ts'
import { decodeText, encodeText } from '../class-dictionary/parsing/text.ts'
import type { Vocabulary } from '../class-dictionary/vocabulary.ts'
import type { Json } from '../json.ts'
import { isIdent } from './cursor.ts'

/** Why the text of a token has no value. */
export interface Unreadable {
  readonly message: string
  readonly hint?: string
}

/** The value of a token of a lexical class. */
export function readLexical(lexical: Lexical, image: string): string | number | boolean | Unreadable {
  switch (lexical) {
    case 'ident':
      return image
    case 'int':
      return readInt(image) ?? { message: `The whole number ${short(image)} is too large.`, hint: largest }
    case 'number': {
      const message = `The number ${short(image)} cannot be kept exactly.`
      return readNumber(image) ?? { message, hint: 'Write at most 15 digits.' }
    }
    case 'boolean':
      return image === 'true'
    case 'string':
      return image.isWellFormed() ? decodeText(image) : halved('string')
    case 'char':
      return decodeText(image)
    case 'verbatim':
      return image.isWellFormed() ? image.slice(2, -2) : halved('text')
  }
}

const largest = `The largest is ${Number.MAX_SAFE_INTEGER}.`

function short(image: string): string {
  return image.length > 40 ? `${image.slice(0, 37)}...` : image
}

function halved(what: string): Unreadable {
  return { message: `The ${what} contains half a character (a lone surrogate).` }
}

/** The token for a valid value; `readLexical` reads it back. */
export function writeLexical(lexical: Lexical, value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  if (lexical === 'string') return encodeText(value)
  if (lexical === 'verbatim') return `{{${value}}}`
  if (lexical === 'ident') return value
  return value === "'" ? "'\\''" : value === '"' ? `'"'` : `'${encodeText(value).slice(1, -1)}'`
}

/** Why something is not a value of a lexical class; null: it is. */
export function lexicalFault(lexical: Lexical, given: Json | undefined, vocabulary: Vocabulary): string | null {
  switch (lexical) {
    case 'int':
      if (typeof given !== 'number') return expected('a whole number', given)
      if (given === 0) return zero(given)
      return Number.isSafeInteger(given) ? null : `${given} is not a whole number, or too large`
    case 'number':
      if (typeof given !== 'number') return expected('a number', given)
      if (given === 0) return zero(given)
      return Number.isFinite(given) ? null : `${given} is not a number of this language`
    case 'boolean':
      return typeof given === 'boolean' ? null : expected('true or false', given)
    case 'ident':
      if (typeof given !== 'string') return expected('a name', given)
      if (isIdent(vocabulary, given)) return null
      return vocabulary.tokenOf.has(given)
        ? `${quote(given)} is a literal of this dictionary and cannot be a name`
        : `${quote(given)} is not a name`
    case 'char':
      if (typeof given !== 'string') return expected('a character', given)
      if (given.length === 0 || given.length > (given.codePointAt(0)! > 0xffff ? 2 : 1)) {
        return `${quote(given)} is not one character`
      }
      return given.isWellFormed() ? null : 'this is half a character (a lone surrogate)'
    case 'string':
      if (typeof given !== 'string') return expected('a string', given)
      return given.isWellFormed() ? null : 'the string contains half a character (a lone surrogate)'
    case 'verbatim':
      if (typeof given !== 'string') return expected('a text', given)
      if (given.includes('}}') || given.endsWith('}'))
        return 'the text contains "}}" or ends in "}", which would close it early'
      return given.isWellFormed() ? null : 'the text contains half a character (a lone surrogate)'
  }
}

function zero(given: number): string | null {
  return Object.is(given, -0) ? '-0 is not allowed, write 0' : null
}

/** `expected a list, found nothing` */
export function expected(what: string, given: Json | undefined): string {
  const found =
    given === undefined || given === null
      ? 'nothing'
      : Array.isArray(given)
        ? 'a list'
        : typeof given === 'object'
          ? 'an object'
          : typeof given === 'string'
            ? `the string ${quote(given)}`
            : String(given)
  return `expected ${what}, found ${found}`
}

export function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 37)}...` : text)
}

/** The integer value of a token; null if a JSON number cannot represent it exactly. */
function readInt(text: string): number | null {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value + 0 : null
}

/** The number value of a token; null if the shortest decimal text of the nearest double is a different number. */
function readNumber(text: string): number | null {
  const value = Number(text)
  if (!Number.isFinite(value)) return null
  if (text.length <= 15 && !/[.eE]/.test(text)) return value + 0
  const written = decimal(text)
  return written !== null && written === decimal(String(value)) ? value + 0 : null
}

/**
 * A canonical text for each decimal number: digits without zeros at either end, and the power of ten. null: out of
 * range.
 */
function decimal(text: string): string | null {
  const [mantissa, exponent] = text.toLowerCase().split('e')
  const negative = mantissa!.startsWith('-')
  const [whole, fraction] = mantissa!.replace('-', '').split('.')
  const digits = whole! + (fraction ?? '')
  let first = 0
  while (digits[first] === '0') first++
  if (first === digits.length) return '0'
  let last = digits.length
  while (digits[last - 1] === '0') last--
  const power = Number(exponent ?? '0') - (fraction?.length ?? 0) + (digits.length - last)
  return Number.isSafeInteger(power) ? `${negative ? '-' : ''}${digits.slice(first, last)}e${power}` : null
}
