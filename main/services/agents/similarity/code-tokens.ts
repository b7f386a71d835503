/** The comments of a language: `//` and `/*`, or those of Python, where a text in triple quotes is one too. */
export type CommentStyle = 'slashes' | 'python'

/**
 * The tokens of a script as numbers, so that copies have equal tokens although they were renamed, reformatted, commented
 * or minified. Own names, numbers and texts count as kinds; names of the library's members, which no copy can change,
 * as themselves. Keywords, brackets and separators do not count, because minifiers replace them, and of a run of equal
 * tokens only the first one does. A rough scanner, not a parser: any text has tokens, and the time grows with its length
 * alone.
 */
export function* codeTokens(code: string, comments: CommentStyle = 'slashes'): Generator<number> {
  for (const { kind } of placedTokens(code, comments)) yield kind
}

/** A token of `codeTokens` with its place: from and to which character. */
export interface PlacedToken {
  readonly kind: number
  readonly at: number
  readonly end: number
}

/** `codeTokens` with their places. */
export function* placedTokens(code: string, comments: CommentStyle = 'slashes'): Generator<PlacedToken> {
  const skip = comments === 'python' ? ignoredEndInPython : ignoredEnd
  let regexAllowed = true
  let last = 0
  for (let at = 0; at < code.length;) {
    const char = code.charCodeAt(at)
    const end = skip(code, at, char)
    if (end > at) {
      at = end
      continue
    }
    const { kind, end: next, regexAfter } = tokenAt(code, at, char, regexAllowed)
    const begins = at
    at = next
    regexAllowed = regexAfter
    if (kind === null || kind === last) continue
    last = kind
    yield { kind, at: begins, end: next }
  }
}

/**
 * The words of a script outside its comments: names, keywords, and what stands in texts; `without plain texts`: only in
 * templates, which may hold code. It may give one several times.
 */
export function* codeWords(
  code: string,
  texts: 'with texts' | 'without plain texts' = 'with texts',
): Generator<string> {
  let regexAllowed = true
  for (let at = 0; at < code.length;) {
    const char = code.charCodeAt(at)
    const ignored = ignoredEnd(code, at, char)
    if (ignored > at) {
      at = ignored
      continue
    }
    const { kind, end, regexAfter } = tokenAt(code, at, char, regexAllowed)
    if ((kind === TEXT && (texts === 'with texts' || char === BACKTICK)) || isNamePart(char)) {
      const token = code.slice(at, end)
      // A name is one word, unless it has signs that only some languages count as letters.
      if (/^[\w$]+$/.test(token)) yield token
      else for (const [word] of token.matchAll(/[\w$]+/g)) yield word
    }
    at = end
    regexAllowed = regexAfter
  }
}

interface CodeToken {
  /** null: it does not count. */
  readonly kind: number | null
  readonly end: number
  /** True if a slash after it begins a regular expression. */
  readonly regexAfter: boolean
}

const NAME = 1
const TEXT = 2
const NUMBER = 3

const keywords = new Set(
  (
    'async await break case catch class const continue default delete do else export extends finally for from function ' +
    'get if import in instanceof let new null of return set static super switch this throw try typeof var void while yield'
  ).split(' '),
)
/** Minifiers write them with numbers. */
const numbers = new Set(['true', 'false', 'undefined', 'Infinity'])
/** After these a value has ended, so a slash divides. */
const values = new Set(['null', 'super', 'this'])

/** Operators that minifiers keep. */
const signs = new Map(
  ['.', '=', '<', '>', '+', '-', '*', '/', '%', '[', '&', '|', '^', '~'].map((sign, at) => [sign, 8 + at]),
)

const libraries = [Array, String, Number, Map, Set, Object, Math, JSON, Promise, RegExp, Uint8Array, Symbol]
const members = libraries.flatMap((library) => [
  ...Object.getOwnPropertyNames(library),
  ...('prototype' in library ? Object.getOwnPropertyNames(library.prototype) : []),
])
const globals = ['Array', 'BigInt', 'Error', 'Infinity', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Set', 'String']
/** By a member's name with its dot, or that of a global. Sorted, so that it does not depend on the order in which Node lists them. */
const libraryKinds = new Map(
  [...new Set([...members.map((name) => `.${name}`), ...globals])].sort().map((name, at) => [name, 64 + at]),
)

const [SLASH, STAR, NEWLINE, BACKSLASH, BACKTICK] = [0x2f, 0x2a, 0x0a, 0x5c, 0x60]
const [HASH, DOT, DOUBLE, SINGLE] = [0x23, 0x2e, 0x22, 0x27]

/** The end of white space or of a comment; `at` if there is none. */
function ignoredEnd(code: string, at: number, char: number): number {
  if (isSpace(char)) return at + 1
  if (char !== SLASH) return at
  const next = code.charCodeAt(at + 1)
  if (next === SLASH) return endOf(code, '\n', at)
  return next === STAR ? endOf(code, '*/', at + 2) : at
}

/** `ignoredEnd` for Python. Texts in triple quotes are mostly documentation. */
function ignoredEndInPython(code: string, at: number, char: number): number {
  if (isSpace(char)) return at + 1
  if (char === HASH) return endOf(code, '\n', at)
  const quotes = char === DOUBLE ? '"""' : "'''"
  return (char === DOUBLE || char === SINGLE) && code.startsWith(quotes, at) ? endOf(code, quotes, at + 3) : at
}

const isSpace = (char: number): boolean => char <= 0x20 || char === 0xa0 || char === 0xfeff

/** The end of the next such text, or of the code. */
function endOf(code: string, text: string, from: number): number {
  const found = code.indexOf(text, from)
  return found === -1 ? code.length : found + text.length
}

function tokenAt(code: string, at: number, char: number, regexAllowed: boolean): CodeToken {
  if (isDigit(char)) return { kind: NUMBER, end: wordEnd(code, at, true), regexAfter: false }
  if (isNamePart(char)) {
    const end = wordEnd(code, at, false)
    const word = end - at > LONGEST_WORD ? '' : code.slice(at, end)
    return { kind: wordKind(word, isMember(code, at)), end, regexAfter: keywords.has(word) && !values.has(word) }
  }
  const sign = code[at]!
  if (sign === '"' || sign === "'" || sign === '`') {
    return { kind: TEXT, end: textEnd(code, at, char, sign !== '`'), regexAfter: false }
  }
  if (sign === '/' && regexAllowed) return { kind: TEXT, end: textEnd(code, at, char, true), regexAfter: false }
  return { kind: signs.get(sign) ?? null, end: at + 1, regexAfter: sign !== ')' && sign !== ']' }
}

/** Longer words are own names. */
const LONGEST_WORD = 32

function wordKind(word: string, member: boolean): number | null {
  if (keywords.has(word)) return null
  return numbers.has(word) ? NUMBER : (libraryKinds.get(member ? `.${word}` : word) ?? NAME)
}

/** True for a word after a dot, except after `this.`: a field of one's own may be called like a member of the library. */
function isMember(code: string, at: number): boolean {
  return code.charCodeAt(at - 1) === DOT && !code.startsWith('this', at - 5)
}

function isDigit(char: number): boolean {
  return char >= 0x30 && char <= 0x39
}

/** Letters, digits, `_`, `$`, `#`, and everything beyond ASCII. */
function isNamePart(char: number): boolean {
  const lower = char | 0x20
  return (
    (lower >= 0x61 && lower <= 0x7a) || isDigit(char) || char === 0x5f || char === 0x24 || char === 0x23 || char > 0xa0
  )
}

/** `number`: dots belong to it. */
function wordEnd(code: string, from: number, number: boolean): number {
  let end = from + 1
  for (; end < code.length; end++) {
    const char = code.charCodeAt(end)
    if (!isNamePart(char) && !(number && char === 0x2e)) break
  }
  return end
}

/** `line`: it ends with its line at the latest. */
function textEnd(code: string, from: number, closing: number, line: boolean): number {
  for (let at = from + 1; at < code.length; at++) {
    const char = code.charCodeAt(at)
    if (char === BACKSLASH) at++
    else if (char === closing) return at + 1
    else if (line && char === NEWLINE) return at
  }
  return code.length
}
