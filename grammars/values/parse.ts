import type { ChoiceNode, ClassNode, ListNode, Node, OptionNode } from '../class-dictionary/expand.ts'
import type { DecisionTable, Predictor } from '../class-dictionary/lookahead.ts'
import { decisionAt } from '../class-dictionary/syntax.ts'
import type { Step } from '../class-dictionary/syntax.ts'
import { END, IDENT, INT, NUMBER, tokenName, UNKNOWN } from '../class-dictionary/vocabulary.ts'
import type { Vocabulary } from '../class-dictionary/vocabulary.ts'
import type { Json } from '../json.ts'
import type { Alternatives } from './alternatives.ts'
import { readLexical } from './lexical.ts'
import type { Unreadable } from './lexical.ts'
import { inOrder } from './order.ts'
import type { Scanner } from './scanner.ts'

/** Maximum nesting of objects and lists. A class that contains itself in a list counts two per level. */
export const MAX_DEPTH = 50_000

/** The number of elements in each chunk of a long list while it is read. */
export const CHUNK = 4_096

/** The parsed value, or the first problem and its offset in the text. */
export type Parsed =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly offset: number; readonly message: string; readonly hint?: string }

/** The facts about a dictionary that the parser uses. */
export interface ParserInput {
  readonly predictor: Predictor
  readonly vocabulary: Vocabulary
  readonly alternatives: Alternatives
  readonly moulds: Moulds
}

interface JsonObject {
  [label: string]: Json
}

/** How the value of a class is created: its fields in order, and an object to copy and fill. */
interface Mould {
  readonly labels: readonly string[]
  readonly empty: JsonObject
}

/** The moulds of classes, and of classes as alternatives, by node id; created on first use. */
export interface Moulds {
  readonly bare: (Mould | undefined)[]
  readonly tagged: (Mould | undefined)[]
}

export function noMoulds(): Moulds {
  return { bare: [], tagged: [] }
}

/** A class, a list or an option whose text has begun. Frames are reused, because a text of 10 MB has millions. */
interface Frame {
  node: ClassNode | ListNode | OptionNode
  steps: readonly Step[]
  /** The index of the next step. */
  index: number
  /** The mould of a class. */
  mould: Mould | null
  /** The index at which its fields or elements begin among the finished values. */
  base: number
  /** The first elements of a long list, moved away so that no array grows and is copied repeatedly. */
  chunks: Json[][] | null
  /** The offset at which it last decided whether to continue. */
  at: number
  /** For a map: the offsets of its entries. */
  starts: number[] | null
}

/** The state of reading one text. */
interface Reading extends ParserInput {
  readonly scanner: Scanner
  /** The frames whose text has begun, the outermost first. Those from `depth` on are unused, and kept for the next ones. */
  readonly frames: Frame[]
  depth: number
  /** Finished fields and elements of the frames, not yet in their objects and lists. Entries from `top` on are unused. */
  readonly done: Json[]
  top: number
  /** The result, once there is one: the text is read, or has a problem. */
  end: Parsed | null
}

/** Parses a text that consists of one value of `root`. Does not recur, however deep the value. */
export function parseValue(root: Node, scanner: Scanner, input: ParserInput): Parsed {
  const { predictor, vocabulary, alternatives, moulds } = input
  const reading: Reading = {
    predictor,
    vocabulary,
    alternatives,
    moulds,
    scanner,
    frames: [],
    depth: 0,
    done: [],
    top: 0,
    end: null,
  }
  let wanted: Node | null = root
  while (reading.end === null) wanted = wanted === null ? resume(reading) : begin(reading, wanted)
  return reading.end
}

/** Ends the reading. */
function end(reading: Reading, result: Parsed): null {
  reading.end = result
  return null
}

/** Begins with a node: reads its value or enters its frame. Returns the node that is wanted next; null: the innermost frame goes on. */
function begin(reading: Reading, node: Node): Node | null {
  const { scanner, predictor } = reading
  if (node.kind === 'lexical') return lexicalValue(reading, node)
  if (node.kind === 'class') {
    enter(reading, node, mouldOf(node, reading.moulds.bare, false))
  } else if (node.kind === 'choice') {
    const action = decide(node, scanner, predictor)
    if (action === undefined) return end(reading, undecided(reading, node, reading.depth))
    const alternative = node.alternatives[action]!.node
    enter(reading, alternative, mouldOf(alternative, reading.moulds.tagged, true))
  } else if (node.kind === 'foreign') {
    return end(reading, { ok: false, offset: scanner.start(), message: `\`${node.text}\` has no values here.` })
  } else if (node.kind === 'list' || node.layout !== null) {
    enter(reading, node, null)
  } else {
    const action = decide(node, scanner, predictor)
    if (action === undefined) return end(reading, undecided(reading, node, reading.depth))
    if (action === 0) return node.of
    reading.done[reading.top++] = null
  }
  if (reading.depth > MAX_DEPTH) {
    const message = `The value is nested more than ${MAX_DEPTH} deep.`
    return end(reading, { ok: false, offset: scanner.start(), message })
  }
  return null
}

/** Reads a number, a word or a text. */
function lexicalValue(reading: Reading, { lexical }: Extract<Node, { kind: 'lexical' }>): null {
  const { scanner, vocabulary } = reading
  const token = scanner.peek(0)
  if (!vocabulary.lexical[lexical].includes(token)) {
    return end(reading, unexpected(scanner, vocabulary, [token0(vocabulary, lexical)]))
  }
  let read: string | number | boolean | Unreadable =
    token === IDENT ? scanner.word() : token === INT || token === NUMBER ? scanner.short() : NaN
  if (Number.isNaN(read)) read = readLexical(lexical, scanner.text.slice(scanner.start(), scanner.end()))
  if (typeof read === 'object') return end(reading, { ok: false, offset: scanner.start(), ...read })
  scanner.skip()
  reading.done[reading.top++] = read
  return null
}

/** Goes on with the innermost frame, passing on complete values, and returns the next node of a frame; null at the end. */
function resume(reading: Reading): Node | null {
  const { scanner, vocabulary, frames, done } = reading
  while (reading.depth > 0) {
    const frame = frames[reading.depth - 1]!
    const step = frame.steps[frame.index++]
    if (step === undefined) {
      const value = finish(reading, frame)
      if (value === undefined) return end(reading, keyAgain(reading, frame))
      reading.top = frame.base
      done[reading.top++] = value
      reading.depth--
    } else if (step.kind === 'tokens') {
      const token = scanner.peek(0)
      if (!step.tokens.includes(token)) return end(reading, unexpected(scanner, vocabulary, step.tokens))
      if (token !== END) scanner.skip()
    } else if (step.kind === 'type') {
      frame.starts?.push(scanner.start())
      return step.node
    } else if (step.kind === 'jump') {
      frame.index = step.to
    } else if (!another(reading, frame, step.exit)) return null
  }
  const read = scanner.peek(0) === END
  return end(reading, read ? { ok: true, value: done[0]! } : unexpected(scanner, vocabulary, [END]))
}

/** Decides whether a list or an option has another element; if not, `exit` is its next step. False if neither fits. */
function another(reading: Reading, frame: Frame, exit: number): boolean {
  const { scanner, predictor, done } = reading
  const node = frame.node as ListNode | OptionNode
  const action = decide(node, scanner, predictor)
  if (action === undefined) {
    frame.index--
    end(reading, undecided(reading, node, reading.depth - 1))
    return false
  }
  const at = scanner.start()
  if (action === 1) {
    frame.index = exit
  } else if (at === frame.at) {
    // The last element has an empty text, and so would all others: there are none.
    reading.top--
    frame.index = exit
  }
  frame.at = at
  if (reading.top - frame.base >= CHUNK) {
    frame.chunks ??= []
    frame.chunks.push(done.slice(frame.base, reading.top))
    reading.top = frame.base
  }
  return true
}

function enter(reading: Reading, node: Frame['node'], mould: Mould | null): void {
  const { frames, top: base } = reading
  const steps = reading.predictor.steps(node)
  const starts = node.kind === 'list' && node.sorted === 'map' ? [] : null
  const frame = frames[reading.depth++]
  if (frame === undefined) {
    frames.push({ node, steps, index: 0, mould, base, chunks: null, at: -1, starts })
  } else {
    frame.node = node
    frame.steps = steps
    frame.index = 0
    frame.mould = mould
    frame.base = base
    frame.chunks = null
    frame.at = -1
    frame.starts = starts
  }
}

/** The value of a frame whose text is complete; undefined: a map with a duplicate key. */
function finish(reading: Reading, frame: Frame): Json | undefined {
  const { done } = reading
  const { node, mould, base } = frame
  if (mould !== null) {
    const { labels } = mould
    const object = { ...mould.empty }
    for (let i = 0; i < labels.length; i++) object[labels[i]!] = done[base + i]!
    return object
  }
  if (node.kind === 'option') return reading.top > base ? done[base]! : null
  const elements = elementsOf(reading, frame)
  if (node.kind === 'class' || node.sorted === null) return elements
  const ordered = inOrder(node, elements, reading.alternatives)
  return ordered.again === null ? ordered.elements : undefined
}

function elementsOf({ done, top }: Reading, { chunks, base }: Frame): Json[] {
  const last = done.slice(base, top)
  return chunks === null ? last : new Array<Json>().concat(...chunks, last)
}

function keyAgain(reading: Reading, frame: Frame): Parsed {
  const { node, starts } = frame
  const { again } = inOrder(node as ListNode, elementsOf(reading, frame), reading.alternatives)
  const offset = starts?.[again ?? 0] ?? reading.scanner.text.length
  return { ok: false, offset, message: `This \`${node.text}\` has an entry with the same key already.` }
}

export function mouldOf(node: ClassNode, known: (Mould | undefined)[], tagged: boolean): Mould {
  return (known[node.id] ??= newMould(node, tagged))
}

function newMould(node: ClassNode, tagged: boolean): Mould {
  const labels = node.items.flatMap((item) => (item.kind === 'field' ? [item.label] : []))
  const fields = [...(tagged ? [['$', node.name] as const] : []), ...labels.map((label) => [label, null] as const)]
  // Created from JSON, the object has space for exactly these fields.
  return { labels, empty: JSON.parse(JSON.stringify(Object.fromEntries(fields))) as JsonObject }
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

/**
 * The problem if no decision about a node within the `depth` outermost frames fits: the offending token may come after some
 * that fit.
 */
function undecided(
  { scanner, predictor, vocabulary, frames }: Reading,
  node: ChoiceNode | ListNode | OptionNode,
  depth: number,
): Parsed {
  const { first, tables } = predictor.decision(node)
  let table: DecisionTable = first
  for (let action = table.get(scanner.peek(0)); action !== undefined && action < 0;) {
    table = tables[-1 - action]!
    scanner.skip()
    action = table.get(scanner.peek(0))
  }
  const index = node.kind === 'choice' ? 0 : decisionAt(node, predictor.steps(node))
  const expected =
    table === first ? predictor.expectedAt([...frames.slice(0, depth), { node, index }]) : [...table.keys()]
  return unexpected(scanner, vocabulary, expected)
}

function unexpected(scanner: Scanner, vocabulary: Vocabulary, expected: readonly number[]): Parsed {
  const token = scanner.peek(0)
  const offset = scanner.start()
  // The end of the text, which is number 0, is listed last.
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
      return { ok: false, offset, message: 'The string is not closed on its line, or has an unknown escape.' }
    }
    if (code === 39 && vocabulary.chars) {
      return { ok: false, offset, message: 'Between these quotes must be one character or one known escape.' }
    }
    if (vocabulary.verbatims && scanner.text.startsWith('{{', offset)) {
      return { ok: false, offset, message: 'The text in {{ }} is not closed.' }
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
