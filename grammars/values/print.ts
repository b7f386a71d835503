import { encodeText } from '../class-dictionary/text.ts'
import type { ClassNode, ListNode, Node } from '../class-dictionary/expand.ts'
import type { PrintCommand } from '../class-dictionary/model.ts'
import type { Vocabulary } from '../class-dictionary/vocabulary.ts'
import type { Json } from '../json.ts'
import { isWord } from './scanner.ts'
import type { Alternatives } from './validate.ts'

const INDENT = 2
/** Levels of indentation that show; deeper text is indented no further, so that its size stays within bounds. */
const MAX_INDENT = 40

type JsonObject = { readonly [key: string]: Json }

type Frame =
  | { readonly node: ListNode; readonly elements: readonly Json[]; index: number }
  | { readonly node: ClassNode; readonly object: JsonObject; index: number }

/** Pairs of characters that must not meet where two tokens do: they could be read as one. */
export type Glue = ReadonlySet<string>

export function glueOf(vocabulary: Vocabulary): Glue {
  const pairs = new Set<string>()
  for (const literal of vocabulary.literals) {
    for (let i = 1; i < literal.length; i++) pairs.add(literal.slice(i - 1, i + 1))
  }
  if (vocabulary.lineComments) pairs.add('//')
  if (vocabulary.blockComments) pairs.add('/*')
  // A literal such as `1.` or `1e+` can be the beginning of a number.
  const openNumbers = vocabulary.literals.filter((literal) => /^-?[0-9].*[.+]$/.test(literal))
  for (let digit = 0; digit < 10; digit++) {
    pairs.add(`-${digit}`)
    if (!vocabulary.numbers) continue
    pairs.add(`${digit}.`)
    for (const literal of openNumbers) pairs.add(`${literal.at(-1)!}${digit}`)
  }
  return pairs
}

/** The text of a valid value: printing commands as they stand, and a space only where two tokens would run together. */
export function printValue(root: Node, value: Json, glue: Glue, alternatives: Alternatives): string {
  const out: string[] = []
  const frames: Frame[] = []
  let last = ' '
  let level = 0
  begin(root, value)
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const i = frame.index++
    if ('elements' in frame) {
      if (i < frame.elements.length) begin(frame.node.of, frame.elements[i]!)
      else frames.pop()
      continue
    }
    const item = frame.node.items[i]
    if (item === undefined) frames.pop()
    else if (item.kind === 'field') begin(item.type, frame.object[item.label]!)
    else if (item.kind === 'literal') write(item.text)
    else if (item.kind === 'print') command(item.command)
  }
  return out.join('')

  function begin(node: Node, given: Json): void {
    switch (node.kind) {
      case 'option':
        if (given !== null) begin(node.of, given)
        break
      case 'list':
        frames.push({ node, elements: given as readonly Json[], index: 0 })
        break
      case 'class':
        frames.push({ node, object: given as JsonObject, index: 0 })
        break
      case 'choice': {
        const object = given as JsonObject
        frames.push({ node: alternatives(node, object['$'] as string)!, object, index: 0 })
        break
      }
      case 'lexical':
        write(typeof given !== 'string' ? JSON.stringify(given) : node.lexical === 'string' ? encodeText(given) : given)
        break
      case 'foreign':
        break
    }
  }

  function write(text: string): void {
    if (text === '') return
    const first = text.charAt(0)
    if (last === '\n') out.push(' '.repeat(INDENT * Math.min(level, MAX_INDENT)))
    else if (runTogether(last, first, text)) out.push(' ')
    out.push(text)
    last = text.charAt(text.length - 1)
  }

  function runTogether(before: string, first: string, text: string): boolean {
    if (glue.has(before + first)) return true
    if (!isWord(before.charCodeAt(0))) return false
    // A negative number directly behind a name can be read, but not by people.
    return isWord(first.charCodeAt(0)) || (first === '-' && isWord(text.charCodeAt(1)))
  }

  function command(one: PrintCommand): void {
    if (one === '+') level++
    else if (one === '-') level = Math.max(0, level - 1)
    else out.push((last = { '*s': ' ', '*t': '\t', '*l': '\n', '*r': '\r' }[one]))
  }
}
