import type { ClassNode, ListNode, Node, OptionNode, Syntax } from '../class-dictionary/expand.ts'
import type { PrintCommand } from '../class-dictionary/model.ts'
import type { Vocabulary } from '../class-dictionary/vocabulary.ts'
import type { Json } from '../json.ts'
import { writeLexical } from './lexical.ts'
import { isWord } from './cursor.ts'
import type { Alternatives } from './alternatives.ts'

const INDENT = 2
/** Maximum levels of indentation, to bound the size of the text. */
const MAX_INDENT = 40
/** The number of tokens joined at a time; one by one they would take several times the memory of the text. */
const MANY = 4_096

/** The characters of the printing commands for white space. */
const blanks = { '*s': ' ', '*t': '\t', '*l': '\n', '*r': '\r' } as const

type JsonObject = { readonly [key: string]: Json }

type Frame =
  | { readonly node: ListNode; readonly elements: readonly Json[]; index: number }
  | { readonly node: ClassNode; readonly object: JsonObject; index: number }
  | { readonly node: OptionNode; readonly value: Json; index: number }

/** Pairs of characters that need a space between two tokens, because they could be read as one. */
export type Glue = ReadonlySet<number>

export function glueOf(vocabulary: Vocabulary): Glue {
  const pairs = new Set<number>()
  const add = (two: string): unknown => pairs.add(pairOf(two.charCodeAt(0), two.charCodeAt(1)))
  for (const literal of vocabulary.literals) {
    for (let i = 1; i < literal.length; i++) add(literal.slice(i - 1, i + 1))
  }
  if (vocabulary.lineComments) add('//')
  if (vocabulary.blockComments) add('/*')
  if (vocabulary.verbatims) add('{{')
  // A literal such as `1.` or `1e+` can be the beginning of a number.
  const openNumbers = vocabulary.literals.filter((literal) => /^-?[0-9].*[.+]$/.test(literal))
  for (let digit = 0; digit < 10; digit++) {
    add(`-${digit}`)
    if (!vocabulary.numbers) continue
    add(`${digit}.`)
    for (const literal of openNumbers) add(`${literal.at(-1)!}${digit}`)
  }
  return pairs
}

function pairOf(before: number, after: number): number {
  return before * 0x1_0000 + after
}

/** True if a token needs a space after a character, for the parser or for the reader. */
function runTogether(glue: Glue, before: number, token: string): boolean {
  const first = token.charCodeAt(0)
  if (glue.has(pairOf(before, first))) return true
  if (!isWord(before)) return false
  // A negative number directly after a name can be parsed, but is hard to read for people.
  return isWord(first) || (first === 45 && isWord(token.charCodeAt(1)))
}

/**
 * The text of a valid value, with the layout of the printing commands, and a space only between tokens that need one.
 */
export function printValue(root: Node, value: Json, glue: Glue, alternatives: Alternatives): string {
  const out: string[] = []
  const pieces: string[] = []
  const frames: Frame[] = []
  let last = 32
  let level = 0
  begin(root, value)
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const i = frame.index++
    if ('elements' in frame) {
      const { node, elements } = frame
      const { layout } = node
      if (layout !== null) {
        if (i === 0) syntax(layout.before)
        else if (i > 1 || !layout.first) syntax(layout.close)
        if (i < elements.length) {
          if (i > 0 || !layout.first) syntax(layout.open)
        } else {
          syntax(layout.after)
        }
      }
      if (i < elements.length) begin(node.of, elements[i]!)
      else frames.pop()
    } else if ('object' in frame) {
      const item = frame.node.items[i]
      if (item === undefined) frames.pop()
      else if (item.kind === 'field') begin(item.type, frame.object[item.label]!)
      else mark(item)
    } else if (i === 0) {
      begin(frame.node.of, frame.value)
    } else {
      frames.pop()
      syntax(frame.node.layout?.after ?? [])
    }
  }
  out.push(pieces.join(''))
  return out.join('')

  function begin(node: Node, given: Json): void {
    switch (node.kind) {
      case 'option':
        if (given === null) break
        if (node.layout === null) {
          begin(node.of, given)
        } else {
          syntax(node.layout.before)
          frames.push({ node, value: given, index: 0 })
        }
        break
      case 'list':
        frames.push({ node, elements: given as readonly Json[], index: 0 })
        break
      case 'class':
        frames.push({ node, object: given as JsonObject, index: 0 })
        break
      case 'choice':
        begin(alternatives(node, (given as JsonObject)['$'] as string)!, given)
        break
      case 'lexical':
        write(writeLexical(node.lexical, given))
        break
      case 'foreign':
        break
    }
  }

  function syntax(items: readonly Syntax[]): void {
    for (const item of items) mark(item)
  }

  function mark(item: Syntax): void {
    if (item.kind === 'literal') write(item.text)
    else if (item.kind === 'print') command(item.command)
  }

  function write(token: string): void {
    if (token === '') return
    if (last === 10) put(' '.repeat(INDENT * Math.min(level, MAX_INDENT)))
    else if (runTogether(glue, last, token)) put(' ')
    put(token)
    last = token.charCodeAt(token.length - 1)
  }

  function command(one: PrintCommand): void {
    if (one === '+') level++
    else if (one === '-') level = Math.max(0, level - 1)
    else {
      const blank = blanks[one]
      put(blank)
      last = blank.charCodeAt(0)
    }
  }

  function put(token: string): void {
    if (pieces.push(token) < MANY) return
    out.push(pieces.join(''))
    pieces.length = 0
  }
}
