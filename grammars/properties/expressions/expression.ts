/** A parsed regular expression. Characters are code points; `set`: sorted ranges that are not adjacent. */
export type Pattern =
  | { readonly kind: 'set'; readonly ranges: readonly CharRange[] }
  | { readonly kind: 'sequence' | 'either'; readonly parts: readonly Pattern[] }
  /** `most` null: unlimited. */
  | { readonly kind: 'repeat'; readonly of: Pattern; readonly least: number; readonly most: number | null }

export type CharRange = readonly [low: number, high: number]

/** Thrown by `readExpression`; `index`: in UTF-16 units. */
export class BadExpression extends Error {
  readonly index: number
  constructor(index: number, message: string) {
    super(message)
    this.index = index
  }
}

const PRINTABLE: readonly CharRange[] = [[0x20, 0x7e]]
const DIGITS: readonly CharRange[] = [[0x30, 0x39]]
const SPACES: readonly CharRange[] = [
  [0x09, 0x0a],
  [0x0d, 0x0d],
  [0x20, 0x20],
]
const WORDS: readonly CharRange[] = [...DIGITS, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]
const SPECIAL = new Set('.[]()*+?{}|\\^$')
/** The maximum nesting of groups, and the maximum number in `{n}`. */
const DEEPEST = 50
const MOST = 1000

/**
 * Reads a regular expression of the safe subset: characters, `.`, `[a-z]`, `[^a-z]`, `\d \w \s` and `\` before a
 * character with a meaning, `( )`, `|`, `* + ? {n} {n,} {n,m}`. It matches whole texts. `.` and `[^ ]` match only
 * characters from space to `~`. Anchors, references and assertions are not part of it. Throws BadExpression.
 */
export function readExpression(source: string): Pattern {
  const reader = new ExpressionReader(source)
  const whole = reader.either()
  if (reader.next < source.length) throw new BadExpression(reader.next, 'This parenthesis closes nothing.')
  return whole
}

/** A position in an expression, and a method for each construct that reads it from there. */
class ExpressionReader {
  readonly #source: string
  /** The offset of the next character. */
  #next = 0
  /** The number of open groups. */
  #depth = 0

  constructor(source: string) {
    this.#source = source
  }

  get next(): number {
    return this.#next
  }

  either(): Pattern {
    const parts = [this.#sequence()]
    while (this.#source[this.#next] === '|') {
      this.#next++
      parts.push(this.#sequence())
    }
    return parts.length === 1 ? (parts[0] as Pattern) : { kind: 'either', parts }
  }

  #sequence(): Pattern {
    const parts: Pattern[] = []
    while (this.#next < this.#source.length && this.#source[this.#next] !== '|' && this.#source[this.#next] !== ')')
      parts.push(this.#repeated())
    return { kind: 'sequence', parts }
  }

  #repeated(): Pattern {
    const of = this.#single()
    const sign = this.#source[this.#next]
    if (sign === undefined || !'*+?{'.includes(sign)) return of
    const at = this.#next++
    const [least, most] = sign === '{' ? this.#bounds(at) : sign === '?' ? [0, 1] : [sign === '+' ? 1 : 0, null]
    const following = this.#source[this.#next]
    if (following !== undefined && '*+?{'.includes(following)) {
      throw new BadExpression(
        this.#next,
        `"${following}" cannot follow "${this.#source.slice(at, this.#next)}"; put parentheses between.`,
      )
    }
    return { kind: 'repeat', of, least, most }
  }

  #bounds(at: number): [number, number | null] {
    const found = /^\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/.exec(this.#source.slice(at, at + 12))
    if (!found) throw new BadExpression(at, 'Write {n}, {n,} or {n,m}; for a brace itself, \\\\{.')
    this.#next = at + found[0].length
    const least = Number(found[1])
    const most = found[2] === undefined ? least : found[3] === undefined ? null : Number(found[3])
    if (least > MOST || (most !== null && most > MOST))
      throw new BadExpression(at, `A repetition can have at most ${MOST} times.`)
    if (most !== null && most < least) throw new BadExpression(at, `{${least},${most}} is empty.`)
    return [least, most]
  }

  #single(): Pattern {
    const at = this.#next
    const character = this.#take()
    switch (character) {
      case '(': {
        if (++this.#depth > DEEPEST) throw new BadExpression(at, 'These groups nest too deeply.')
        if (this.#source[this.#next] === '?')
          throw new BadExpression(this.#next, 'Groups that begin with (? are not part of this language.')
        const inside = this.either()
        if (this.#source[this.#next] !== ')') throw new BadExpression(at, 'This parenthesis is not closed.')
        this.#next++
        this.#depth--
        return inside
      }
      case '[':
        return this.#set(at)
      case '.':
        return { kind: 'set', ranges: PRINTABLE }
      case '\\':
        return { kind: 'set', ranges: this.#escaped(at) }
    }
    if (SPECIAL.has(character)) {
      const anchor = character === '^' || character === '$'
      const why = anchor
        ? 'An expression stands for whole texts and needs no anchors'
        : `"${character}" repeats nothing`
      throw new BadExpression(at, `${why}; for the character itself, \\\\${character}.`)
    }
    return { kind: 'set', ranges: only(character) }
  }

  #set(at: number): Pattern {
    const negated = this.#source[this.#next] === '^'
    if (negated) this.#next++
    const ranges: CharRange[] = []
    for (;;) {
      if (this.#next >= this.#source.length) throw new BadExpression(at, 'This bracket is not closed.')
      if (this.#source[this.#next] === ']') break
      const from = this.#next
      const low = this.#member()
      if (this.#source[this.#next] !== '-' || this.#source[this.#next + 1] === ']') {
        ranges.push(...low)
        continue
      }
      this.#next++
      const high = this.#next < this.#source.length ? this.#member() : []
      const [first, last] = [pointOf(low), pointOf(high)]
      if (first === null || last === null || first > last)
        throw new BadExpression(from, 'This is not a range of characters.')
      ranges.push([first, last])
    }
    this.#next++
    const sorted = merged(ranges)
    const left = negated ? without(PRINTABLE, sorted) : sorted
    if (left.length === 0) throw new BadExpression(at, 'This bracket holds no character.')
    return { kind: 'set', ranges: left }
  }

  #member(): readonly CharRange[] {
    const at = this.#next
    const character = this.#take()
    if (character === '[') throw new BadExpression(at, 'For a bracket itself, \\\\[.')
    return character === '\\' ? this.#escaped(at) : only(character)
  }

  #escaped(at: number): readonly CharRange[] {
    if (this.#next >= this.#source.length) throw new BadExpression(at, 'A backslash cannot be the last character.')
    const character = this.#take()
    switch (character) {
      case 'd':
        return DIGITS
      case 'w':
        return WORDS
      case 's':
        return SPACES
    }
    if (SPECIAL.has(character) || character === '-' || character === '/') return only(character)
    throw new BadExpression(at, `"\\\\${character}" means nothing here.`)
  }

  #take(): string {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#next) as number)
    this.#next += character.length
    return character
  }
}

function only(character: string): readonly CharRange[] {
  const point = character.codePointAt(0) as number
  return [[point, point]]
}

function pointOf(ranges: readonly CharRange[]): number | null {
  const [first] = ranges
  return first && ranges.length === 1 && first[0] === first[1] ? first[0] : null
}

/** Sorts and merges ranges, and removes surrogates. */
function merged(ranges: readonly CharRange[]): readonly CharRange[] {
  const sorted: [number, number][] = []
  for (const [low, high] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = sorted.at(-1)
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high)
    else sorted.push([low, high])
  }
  return without(sorted, [[0xd800, 0xdfff]])
}

function without(ranges: readonly CharRange[], excluded: readonly CharRange[]): readonly CharRange[] {
  return excluded.reduce<readonly CharRange[]>((left, [from, to]) => {
    return left.flatMap(([low, high]): CharRange[] => {
      const parts: CharRange[] = [
        [low, Math.min(high, from - 1)],
        [Math.max(low, to + 1), high],
      ]
      return parts.filter(([a, b]) => a <= b)
    })
  }, ranges)
}
