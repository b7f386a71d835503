import { advance, cursorOf, type Cursor, type Signs } from './cursor.ts'

/** The size of the token buffer: larger than any lookahead, a power of two. */
const AHEAD = 32

/** Reads the tokens of a value's text in order, and as many ahead as a decision needs. */
export class Scanner {
  readonly text: string
  readonly #cursor: Cursor
  readonly #tokens = new Int32Array(AHEAD)
  readonly #starts = new Int32Array(AHEAD)
  readonly #ends = new Int32Array(AHEAD)
  readonly #words = new Array<string>(AHEAD).fill('')
  readonly #numbers = new Float64Array(AHEAD)
  #first = 0
  #ready = 0

  constructor(text: string, signs: Signs) {
    this.text = text
    this.#cursor = cursorOf(text, signs)
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

  /** The value of the next token, a short INT or NUMBER; NaN if its text must be parsed. */
  short(): number {
    this.peek(0)
    return this.#numbers[this.#first]!
  }

  skip(): void {
    this.peek(0)
    this.#first = (this.#first + 1) & (AHEAD - 1)
    this.#ready--
  }

  #scan(): void {
    const slot = (this.#first + this.#ready++) & (AHEAD - 1)
    const cursor = this.#cursor
    advance(cursor)
    this.#tokens[slot] = cursor.token
    this.#starts[slot] = cursor.start
    this.#ends[slot] = cursor.end
    this.#words[slot] = cursor.word
    this.#numbers[slot] = cursor.number
  }
}
