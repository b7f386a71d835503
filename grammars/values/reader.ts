import type { ChoiceNode, ClassNode, ListNode, Node, OptionNode } from '../class-dictionary/expand.ts'
import { END, FIRST_LITERAL, IDENT, INT, NUMBER } from '../class-dictionary/vocabulary.ts'
import type { Json } from '../json.ts'
import { advance, cursorOf, type Cursor, type Signs } from './cursor.ts'
import { readLexical } from './lexical.ts'
import { inOrder } from './order.ts'
import { CHUNK, mouldOf, type ParserInput } from './parse.ts'

/** Maximum nesting of objects and lists, since readers call one another. Deeper values are left to `parseValue`. */
const MAX_CALLS = 200
/** Maximum number of known actions, in all rows. */
const MAX_KNOWN = 1_000_000
/** In a row of known actions: not asked yet; below, no action fits. */
const UNASKED = -1_000_000
const NONE = UNASKED - 1

/** Reads the text of one value; undefined: `parseValue` must read it, because it is deep or has a problem. */
export type Reader = (text: string) => Json | undefined

/** Reads one value from the cursor's token on; leaves the cursor at the token after it. */
type Read = () => Json

/** The state of reading, of which the readers of all types of a dictionary are closures. */
interface Reading {
  readonly input: ParserInput
  cursor: Cursor
  calls: number
  /** Finished elements of lists that have begun. Entries from `top` on are unused. */
  done: Json[]
  top: number
  /** The number of actions that may still be kept. */
  room: number
  /** The readers by node id, created on first use. */
  readonly bare: (Read | undefined)[]
  readonly tagged: (Read | undefined)[]
}

/** Thrown where only `parseValue` can read on, or tell the problem. */
const unread = new Error('This text is left to the other reader.')

/** Creates the reader of a type from its dictionary's decisions: a closure for each type, without a token or a frame as an object. */
export function readerOf(input: ParserInput, signs: Signs): (root: Node) => Reader {
  const nothing = cursorOf('', signs)
  const reading: Reading = { input, cursor: nothing, calls: 0, done: [], top: 0, room: MAX_KNOWN, bare: [], tagged: [] }
  return (root) => (text) => {
    const cursor = cursorOf(text, signs)
    reading.cursor = cursor
    reading.calls = reading.top = 0
    try {
      advance(cursor)
      const value = readOf(reading, root)()
      return cursor.token === END ? value : undefined
    } catch (error) {
      if (error === unread) return undefined
      throw error
    } finally {
      reading.cursor = nothing
      reading.done = []
    }
  }
}

function readOf(reading: Reading, node: Node): Read {
  return (reading.bare[node.id] ??= newRead(reading, node))
}

function alternativeOf(reading: Reading, node: ClassNode): Read {
  return (reading.tagged[node.id] ??= classRead(reading, node, true))
}

function newRead(reading: Reading, node: Node): Read {
  switch (node.kind) {
    case 'lexical':
      return lexicalRead(reading, node)
    case 'class':
      return classRead(reading, node, false)
    case 'choice':
      return choiceRead(reading, node)
    case 'list':
      return node.layout === null && node.sorted === null ? listRead(reading, node) : stepsRead(reading, node)
    case 'option':
      return node.layout === null ? optionRead(reading, node) : stepsRead(reading, node)
    case 'foreign':
      return leave
  }
}

function leave(): never {
  throw unread
}

function enter(reading: Reading): void {
  if (++reading.calls > MAX_CALLS) leave()
}

function expect(cursor: Cursor, tokens: readonly number[]): void {
  if (!tokens.includes(cursor.token)) leave()
  if (cursor.token !== END) advance(cursor)
}

function lexicalRead(reading: Reading, { lexical }: Extract<Node, { kind: 'lexical' }>): Read {
  const tokens = reading.input.vocabulary.lexical[lexical]
  return () => {
    const { cursor } = reading
    const { token } = cursor
    if (!tokens.includes(token)) leave()
    let value: string | number | boolean =
      token === IDENT ? cursor.word : token === INT || token === NUMBER ? cursor.number : NaN
    if (Number.isNaN(value)) {
      const read = readLexical(lexical, cursor.text.slice(cursor.start, cursor.end))
      if (typeof read === 'object') throw unread
      value = read
    }
    advance(cursor)
    return value
  }
}

function classRead(reading: Reading, node: ClassNode, tagged: boolean): Read {
  const { predictor, moulds } = reading.input
  const steps = predictor.steps(node)
  const { labels, empty } = mouldOf(node, tagged ? moulds.tagged : moulds.bare, tagged)
  const tokens = steps.map((step) => (step.kind === 'tokens' ? step.tokens : null))
  let reads: readonly (Read | null)[] | null = null
  return () => {
    // Created late: a class may contain itself.
    reads ??= steps.map((step) => (step.kind === 'type' ? readOf(reading, step.node) : null))
    const { cursor } = reading
    enter(reading)
    const object = { ...empty }
    let field = 0
    for (let i = 0; i < reads.length; i++) {
      const read = reads[i]
      if (read) object[labels[field++]!] = read()
      else expect(cursor, tokens[i]!)
    }
    reading.calls--
    return object
  }
}

function choiceRead(reading: Reading, node: ChoiceNode): Read {
  const decide = decisionOf(reading, node)
  return () => alternativeOf(reading, node.alternatives[decide()]!.node)()
}

function optionRead(reading: Reading, node: OptionNode): Read {
  const decide = decisionOf(reading, node)
  return () => (decide() === 0 ? readOf(reading, node.of)() : null)
}

/** A list of nothing but elements. */
function listRead(reading: Reading, node: ListNode): Read {
  const decide = decisionOf(reading, node)
  let element: Read | null = null
  return () => {
    element ??= readOf(reading, node.of)
    enter(reading)
    const { cursor } = reading
    const list = begin(reading)
    while (decide() === 0 && isFurther(reading, list, cursor.start)) {
      const value = element()
      reading.done[reading.top++] = value
    }
    reading.calls--
    return elementsOf(reading, list)
  }
}

/** A list or an option with syntax of its own, a set, or a map. */
function stepsRead(reading: Reading, node: ListNode | OptionNode): Read {
  const decide = decisionOf(reading, node)
  const steps = reading.input.predictor.steps(node)
  return () => {
    enter(reading)
    const { cursor } = reading
    const list = begin(reading)
    for (let index = 0; index < steps.length;) {
      const step = steps[index++]!
      if (step.kind === 'tokens') expect(cursor, step.tokens)
      else if (step.kind === 'jump') index = step.to
      else if (step.kind === 'type') {
        const value = readOf(reading, step.node)()
        reading.done[reading.top++] = value
      } else if (decide() === 1 || !isFurther(reading, list, cursor.start)) index = step.exit
    }
    reading.calls--
    const elements = elementsOf(reading, list)
    if (node.kind === 'option') return elements[0] ?? null
    if (node.sorted === null) return elements
    const ordered = inOrder(node, elements, reading.input.alternatives)
    return ordered.again === null ? ordered.elements : leave()
  }
}

/** A list that is being read. */
interface Open {
  /** The index at which its elements begin among the finished ones. */
  readonly base: number
  /** The first elements of a long list, moved away so that no array grows and is copied repeatedly. */
  chunks: Json[][] | null
  /** The offset at which it last decided to continue. */
  at: number
}

function begin(reading: Reading): Open {
  return { base: reading.top, chunks: null, at: -1 }
}

/** Keeps the elements of a list together, and removes the last one if its text is empty, since so would be all others. */
function isFurther(reading: Reading, list: Open, at: number): boolean {
  if (at === list.at) {
    reading.top--
    return false
  }
  list.at = at
  if (reading.top - list.base >= CHUNK) {
    list.chunks ??= []
    list.chunks.push(reading.done.slice(list.base, reading.top))
    reading.top = list.base
  }
  return true
}

function elementsOf(reading: Reading, { base, chunks }: Open): Json[] {
  const last = reading.done.slice(base, reading.top)
  reading.top = base
  return chunks === null ? last : new Array<Json>().concat(...chunks, last)
}

/** Decides how to go on, as the dictionary's predictor does. */
function decisionOf(reading: Reading, node: ChoiceNode | ListNode | OptionNode): () => number {
  const { predictor, vocabulary } = reading.input
  const { first, tables } = predictor.decision(node)
  const size = FIRST_LITERAL + vocabulary.literals.length
  const kept = reading.room >= size
  if (kept) reading.room -= size
  const known = new Int32Array(kept ? size : 0).fill(UNASKED)

  function ahead(from: number): number {
    const { cursor } = reading
    const { token, start, end, word, number } = cursor
    let action = from
    while (action < 0) {
      advance(cursor)
      action = tables[-1 - action]!.get(cursor.token) ?? leave()
    }
    cursor.token = token
    cursor.start = start
    cursor.end = end
    cursor.word = word
    cursor.number = number
    return action
  }

  return () => {
    const { token } = reading.cursor
    let action = known[token] ?? UNASKED
    if (action >= 0) return action
    if (action === UNASKED) {
      action = first.get(token) ?? NONE
      if (kept) known[token] = action
    }
    return action >= 0 ? action : action === NONE ? leave() : ahead(action)
  }
}
