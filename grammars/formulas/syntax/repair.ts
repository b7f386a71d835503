import type { IToken } from 'chevrotain'
import type { ProblemCode } from '../../problem-codes.ts'
import type { FormulaFault } from './fault.ts'

/**
 * A mistake for which the text can be read on: from offset `from` to `to` it is replaced by `text`. `certain`: that is also what its author
 * means, so that it is offered as the remedy; otherwise it only avoids further errors.
 */
export interface Repair {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly code: ProblemCode
  readonly message: string
  readonly hint: string
  readonly certain: boolean
  /** The offset of the problem; default: `from`. */
  readonly at?: number
  /** The number of characters that `text` adds before a part that stays. An offset in that part is as many characters smaller in the source. */
  readonly added?: number
}

/** The fault of a repair. */
export function faultOf({ from, to, text, code, message, hint, certain, at = from }: Repair): FormulaFault {
  return { at, code, message, hint, ...(certain ? { remedy: { from, to, text } } : {}) }
}

/** The text with all repairs, which are in its order and do not overlap. */
export function repaired(source: string, repairs: readonly Repair[]): string {
  let text = ''
  let at = 0
  for (const { from, to, text: put } of repairs) {
    text += source.slice(at, from) + put
    at = to
  }
  return text + source.slice(at)
}

/** The offset behind a token. */
export function behind({ startOffset, image }: IToken): number {
  return startOffset + image.length
}

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const closers: ReadonlySet<string> = new Set(Object.values(pairs))

/** The index of the bracket that closes the one at index `open`; -1: there is none. */
export function closing(tokens: readonly IToken[], open: number): number {
  let depth = 0
  for (let i = open; i < tokens.length; i++) {
    const { image } = tokens[i]!
    if (Object.hasOwn(pairs, image)) depth++
    else if (closers.has(image) && --depth === 0) return i
  }
  return -1
}

/** The index of the bracket around the token at `i`; -1: there is none. */
export function enclosing(tokens: readonly IToken[], i: number): number {
  let depth = 0
  for (let at = i - 1; at >= 0; at--) {
    const { image } = tokens[at]!
    if (closers.has(image)) depth++
    else if (Object.hasOwn(pairs, image) && depth-- === 0) return at
  }
  return -1
}

/** The index of the first token of the operand that ends at `i`: a constant, a path such as `a.b[1]`, a call or a bracket; -1: none. */
export function operandStart(tokens: readonly IToken[], i: number): number {
  let at = i
  for (;;) {
    const image = tokens[at]?.image
    if (image === undefined) return -1
    if (image === ')' || image === ']') {
      at = enclosing(tokens, at)
      if (at === -1) return -1
      if (isOperandEnd(tokens[at - 1]) && touches(tokens[at - 1]!, tokens[at]!)) at--
      else return at
    } else if (/^[A-Za-z$_0-9"]/.test(image)) {
      if (tokens[at - 1]?.image !== '.') return at
      at -= 2
    } else return -1
  }
}

/** Can an operand end with this token? */
export function isOperandEnd(token: IToken | undefined): boolean {
  if (token === undefined || notOperands.test(token.image)) return false
  return /^[A-Za-z$_0-9")\]]/.test(token.image)
}

/** Can an operand begin with this token? */
export function isOperandStart(token: IToken | undefined): boolean {
  if (token === undefined || notOperands.test(token.image)) return false
  return /^[A-Za-z$_0-9"([]/.test(token.image)
}

const notOperands = /^(and|or|not|in|div|mod|subset|then|else|where|for|at|of|require)$/

export function touches(left: IToken, right: IToken): boolean {
  return behind(left) === right.startOffset
}
