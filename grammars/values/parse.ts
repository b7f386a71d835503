import { decodeText } from '../class-dictionary/text.ts'
import type { ChoiceNode, ClassNode, ListNode, Node, OptionNode } from '../class-dictionary/expand.ts'
import type { DecisionTable, Predictor } from '../class-dictionary/lookahead.ts'
import type { GrammarSymbol } from '../class-dictionary/syntax.ts'
import { END, tokenName, UNKNOWN } from '../class-dictionary/vocabulary.ts'
import type { Vocabulary } from '../class-dictionary/vocabulary.ts'
import type { Json } from '../json.ts'
import { readInt, readNumber } from './numbers.ts'
import type { Scanner } from './scanner.ts'

/** Objects and lists inside one another, at most. A class that holds itself in a list counts two a level. */
export const MAX_DEPTH = 25_000

/** `offset`: where in the text. */
export type Parsed =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly offset: number; readonly message: string; readonly hint?: string }

/** A class or a list whose text has begun. */
interface Frame {
  readonly node: ClassNode | ListNode
  /** Of a class; null: a list. */
  readonly symbols: readonly GrammarSymbol[] | null
  /** Of the symbol to come. A list stays where it is. */
  index: number
  label: string
  readonly object: { [key: string]: Json }
  readonly elements: Json[]
}

const noElements: Json[] = []
const noObject: { [key: string]: Json } = {}

/** Reads one value of `root`, and nothing behind it. Needs no stack of its own, however deep the value. */
export function parseValue(root: Node, scanner: Scanner, predictor: Predictor, vocabulary: Vocabulary): Parsed {
  const frames: Frame[] = []
  let wanted: Node | null = root
  let value: Json = null
  for (;;) {
    // Begin what is wanted, until a value is complete or a frame must go on.
    let complete = false
    while (wanted !== null) {
      const node: Node = wanted
      wanted = null
      if (node.kind === 'lexical') {
        const token = scanner.peek(0)
        if (!vocabulary.lexical[node.lexical].includes(token))
          return unexpected(scanner, vocabulary, [token0(vocabulary, node.lexical)])
        const text = scanner.text.slice(scanner.start(), scanner.end())
        const read =
          node.lexical === 'ident'
            ? text
            : node.lexical === 'string'
              ? readString(text)
              : readNumeric(node.lexical, text)
        if (typeof read === 'object') return { ok: false, offset: scanner.start(), ...read }
        scanner.skip()
        value = read
        complete = true
      } else if (node.kind === 'foreign') {
        return { ok: false, offset: scanner.start(), message: `\`${node.text}\` has no values here.` }
      } else if (node.kind === 'class') {
        frames.push({
          node,
          symbols: predictor.symbols(node),
          index: 0,
          label: '',
          object: {},
          elements: noElements,
        })
      } else if (node.kind === 'list') {
        frames.push({ node, symbols: null, index: 0, label: '', object: noObject, elements: [] })
      } else {
        const action = decide(node, scanner, predictor)
        if (action === undefined) return undecided(node, frames, scanner, predictor, vocabulary)
        if (node.kind === 'choice') {
          const alternative = node.alternatives[action]!.node
          frames.push({
            node: alternative,
            symbols: predictor.symbols(alternative),
            index: 0,
            label: '',
            object: { $: alternative.name },
            elements: noElements,
          })
        } else if (action === 0) {
          wanted = node.of
        } else {
          value = null
          complete = true
        }
      }
      if (frames.length > MAX_DEPTH) {
        return { ok: false, offset: scanner.start(), message: `The value is nested more than ${MAX_DEPTH} deep.` }
      }
    }
    // Hand over what is complete, and go on with the innermost frame.
    for (;;) {
      const frame = frames.at(-1)
      if (frame === undefined) {
        return scanner.peek(0) === END ? { ok: true, value } : unexpected(scanner, vocabulary, [END])
      }
      if (complete) {
        if (frame.symbols === null) frame.elements.push(value)
        else frame.object[frame.label] = value
        complete = false
      }
      if (frame.node.kind === 'list') {
        const action = decide(frame.node, scanner, predictor)
        if (action === undefined) {
          return undecided(frame.node, frames.slice(0, -1), scanner, predictor, vocabulary)
        }
        if (action === 0) {
          wanted = frame.node.of
          break
        }
        value = frame.elements
      } else {
        const symbol = frame.symbols![frame.index++]
        if (symbol?.kind === 'type') {
          frame.label = symbol.label
          wanted = symbol.node
          break
        }
        if (symbol !== undefined) {
          const token = scanner.peek(0)
          if (!symbol.tokens.includes(token)) return unexpected(scanner, vocabulary, symbol.tokens)
          if (token !== END) scanner.skip()
          continue
        }
        value = frame.object
      }
      frames.pop()
      complete = true
    }
  }
}

function token0(vocabulary: Vocabulary, lexical: keyof Vocabulary['lexical']): number {
  return vocabulary.lexical[lexical].at(lexical === 'number' ? 1 : 0)!
}

function decide(node: ChoiceNode | ListNode | OptionNode, scanner: Scanner, predictor: Predictor): number | undefined {
  const decision = predictor.decision(node)
  let action = decision.first.get(scanner.peek(0))
  for (let ahead = 1; action !== undefined && action < 0; ahead++) {
    action = decision.tables[-1 - action]!.get(scanner.peek(ahead))
  }
  return action
}

function readString(text: string): string | { message: string } {
  return text.isWellFormed() ? decodeText(text) : { message: 'The string holds half a character (a lone surrogate).' }
}

function readNumeric(lexical: 'int' | 'number', text: string): number | { message: string; hint: string } {
  const value = lexical === 'int' ? readInt(text) : readNumber(text)
  if (value !== null) return value
  const shown = text.length > 40 ? `${text.slice(0, 37)}...` : text
  return lexical === 'int'
    ? { message: `The whole number ${shown} is too large.`, hint: `The largest is ${Number.MAX_SAFE_INTEGER}.` }
    : { message: `The number ${shown} cannot be kept exactly.`, hint: 'Write at most 15 digits.' }
}

/** Nothing that a decision knows comes next: the token at fault may be behind some that fit. */
function undecided(
  node: ChoiceNode | ListNode | OptionNode,
  around: readonly Frame[],
  scanner: Scanner,
  predictor: Predictor,
  vocabulary: Vocabulary,
): Parsed {
  const { first, tables } = predictor.decision(node)
  let table: DecisionTable = first
  for (let action = table.get(scanner.peek(0)); action !== undefined && action < 0;) {
    table = tables[-1 - action]!
    scanner.skip()
    action = table.get(scanner.peek(0))
  }
  const expected = table === first ? predictor.expectedAt([...around, { node, index: 0 }]) : [...table.keys()]
  return unexpected(scanner, vocabulary, expected)
}

function unexpected(scanner: Scanner, vocabulary: Vocabulary, expected: readonly number[]): Parsed {
  const token = scanner.peek(0)
  const offset = scanner.start()
  // The end of the text is number 0 and comes last.
  const sorted = [...new Set(expected)].sort((a, b) => (a || Infinity) - (b || Infinity))
  const names = sorted.slice(0, 8).map((one) => tokenName(vocabulary, one))
  const last = sorted.length > 8 ? 'something else' : (names.pop() ?? 'nothing')
  const wanted = names.length === 0 ? last : `${names.join(', ')} or ${last}`
  if (token === END) return { ok: false, offset, message: `Expected ${wanted}, found the end of the text.` }
  if (token === UNKNOWN) {
    const code = scanner.text.codePointAt(offset) ?? 0
    const character = String.fromCodePoint(code)
    if (scanner.text.startsWith('/*', offset)) return { ok: false, offset, message: 'The comment is not closed.' }
    if (code === 34 && vocabulary.strings) {
      return { ok: false, offset, message: 'The string is not closed on its line, or has an escape that is not known.' }
    }
    const name =
      code > 32 && code !== 127 && character.isWellFormed()
        ? `\`${character}\``
        : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    return { ok: false, offset, message: `Expected ${wanted}, found the character ${name}.` }
  }
  const text = scanner.text.slice(offset, Math.min(scanner.end(), offset + 40))
  const keyword = expected.includes(1) && /^[A-Za-z_$]/.test(text)
  return {
    ok: false,
    offset,
    message: `Expected ${wanted}, found \`${text}\`.`,
    ...(keyword ? { hint: `\`${text}\` is a literal of this dictionary and cannot be a name.` } : {}),
  }
}
