import type { ChoiceNode, ClassNode, ListNode, Node, OptionNode } from '../class-dictionary/expand.ts'
import type { Json } from '../json.ts'
import type { Alternatives } from './alternatives.ts'
import { inOrder } from './order.ts'
import { MAX_DEPTH } from './parse.ts'
import type { Survey } from './survey.ts'
import type { Lexical } from '../class-dictionary/built-in.ts'

/** Maximum number of objects and lists in a sampled value. */
const LARGEST = 1_000_000

/** A part of the value yet to be generated, for the list or object `into`. */
interface Open {
  readonly node: Node
  readonly into: Json[] | { [label: string]: Json }
  readonly key: number | string
  readonly depth: number
}

/** A set or map in a sampled value, to be sorted when it is complete. */
interface SampledSet {
  readonly node: ListNode
  readonly elements: Json[]
}

/**
 * A random value of `root`; a sentence if there is none within bounds. Breadth first, so that no part uses up the size
 * of the others. `owed` is always the resulting size if all open parts were generated in the simplest way; no decision
 * lets it exceed the minimum by more than `size`, or LARGEST for types that are not recursive.
 */
export function sampleValue(
  root: Node,
  survey: Survey,
  alternatives: Alternatives,
  isName: (text: string) => boolean,
  random: () => number,
  size: number,
): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly message: string } {
  const message = excess(root, survey)
  if (message !== null) return { ok: false, message }
  const least = survey.size(root)
  const limit = least + Math.min(size, LARGEST)
  const longest = Math.max(1, Math.floor(Math.sqrt(Math.min(size, LARGEST))))
  const sets: SampledSet[] = []
  const holder: Json[] = [null]
  const open: Open[] = [{ node: root, into: holder, key: 0, depth: 1 }]
  let owed = least
  // The array grows during the iteration; finished parts stay in it. The sizes above bound its length.
  for (const { node, into, key, depth } of open) {
    const value = begin(node, depth)
    if (Array.isArray(into)) into[key as number] = value
    else into[key] = value
  }
  sortSets(sets, alternatives)
  return { ok: true, value: holder[0]! }

  function begin(node: Node, depth: number): Json {
    switch (node.kind) {
      case 'lexical':
        return sampleLexical(node.lexical, random, size, isName)
      case 'option':
        return present(node, depth) ? begin(node.of, depth) : null
      case 'list':
        return list(node, depth)
      case 'class':
        return object(node, {}, depth)
      case 'choice': {
        const alternative = chosen(node, depth)
        return object(alternative, { $: alternative.name }, depth)
      }
      case 'foreign':
        throw new Error(`\`${node.text}\` has no values here.`)
    }
  }

  function object(node: ClassNode, made: { [label: string]: Json }, depth: number): Json {
    for (const item of node.items) {
      if (item.kind !== 'field') continue
      made[item.label] = null
      fill(item.type, made, item.label, depth)
    }
    return made
  }

  function list(node: ListNode, depth: number): Json {
    const each = Math.max(1, survey.size(node.of))
    const room = depth + survey.height(node.of) <= MAX_DEPTH ? Math.floor((limit - owed) / each) : 0
    const least = node.layout?.first === true ? 1 : 0
    const length = least + below(random, Math.max(0, Math.min(longest, room) - least) + 1)
    owed += (length - least) * survey.size(node.of)
    const elements = Array.from({ length }, (): Json => null)
    for (let i = 0; i < length; i++) fill(node.of, elements, i, depth)
    if (node.sorted !== null) sets.push({ node, elements })
    return elements
  }

  function fill(node: Node, into: Open['into'], key: number | string, depth: number): void {
    if (node.kind !== 'lexical') open.push({ node, into, key, depth: depth + 1 })
    else if (Array.isArray(into)) into[key as number] = begin(node, depth)
    else into[key] = begin(node, depth)
  }

  function present(node: OptionNode, depth: number): boolean {
    const more = survey.size(node.of)
    if (!fits(more, survey.height(node.of), survey.recursive(node, node.of), depth)) return false
    if (below(random, 2) === 0) return false
    owed += more
    return true
  }

  function chosen(node: ChoiceNode, depth: number): ClassNode {
    const plain = survey.size(node)
    const possible = node.alternatives.filter(({ node: one }) => {
      const more = survey.size(one) - plain
      if (more <= 0 && survey.height(one) <= survey.height(node)) return true
      return fits(more, survey.height(one), survey.recursive(node, one), depth)
    })
    const { node: alternative } = possible[below(random, possible.length)]!
    owed += survey.size(alternative) - plain
    return alternative
  }

  /** True if a part of this size and height fits at this depth. */
  function fits(more: number, height: number, recursive: boolean, depth: number): boolean {
    return depth - 1 + height <= MAX_DEPTH && (more <= 0 || owed + more <= (recursive ? limit : LARGEST))
  }
}

/** Why no value of a type is within bounds; null if one is. */
function excess(root: Node, survey: Survey): string | null {
  if (survey.size(root) > LARGEST) return `Every \`${root.text}\` has more than ${LARGEST} objects and lists.`
  return survey.height(root) > MAX_DEPTH ? `Every \`${root.text}\` is nested more than ${MAX_DEPTH} deep.` : null
}

/** Sorts sets and maps, in the order of their creation: inner ones come later, and are sorted first. */
function sortSets(sets: readonly SampledSet[], alternatives: Alternatives): void {
  for (const { node, elements } of [...sets].reverse()) {
    const ordered = inOrder(node, elements, alternatives).elements
    elements.length = 0
    for (const element of ordered) elements.push(element)
  }
}

/** A number from 0 to `count` - 1. */
function below(random: () => number, count: number): number {
  return Math.floor((random() / 0x1_0000_0000) * count)
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
/** The characters of sampled texts: common ones, and some that need an escape or more than one byte. */
const characters = Array.from(`${letters}ABCDEFXYZ0123456789 .,:;!?+-*/=<>()[]_#"'\\\n\t\u00e9\u03bb\u2192\u{1f642}`)

/**
 * A random value of a lexical class. Numbers have an absolute value of at most `size`, fractions are quarters, names
 * consist of a letter and possibly a number, other texts have up to eight characters.
 */
function sampleLexical(
  lexical: Lexical,
  random: () => number,
  size: number,
  isName: (text: string) => boolean,
): string | number | boolean {
  switch (lexical) {
    case 'int':
      return below(2 * size + 1) - size
    case 'number':
      return (below(8 * size + 1) - 4 * size) / 4
    case 'boolean':
      return below(2) === 0
    case 'char':
      return characters[below(characters.length)]!
    case 'string':
      return text()
    case 'verbatim':
      return text().replaceAll('}', '')
    case 'ident': {
      const number = below(20)
      let name = `${letters.charAt(below(letters.length))}${number < 10 ? '' : number - 10}`
      // Terminates, because a dictionary has finitely many keywords.
      while (!isName(name)) name += letters.charAt(below(letters.length))
      return name
    }
  }

  function text(): string {
    return Array.from({ length: below(9) }, () => characters[below(characters.length)]!).join('')
  }

  function below(count: number): number {
    return Math.floor((random() / 0x1_0000_0000) * count)
  }
}
