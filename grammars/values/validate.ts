import type { Lexical } from '../class-dictionary/built-in.ts'
import type { ClassNode, ListNode, Node } from '../class-dictionary/expand.ts'
import type { Vocabulary } from '../class-dictionary/vocabulary.ts'
import type { Json } from '../json.ts'
import type { Alternatives } from './alternatives.ts'
import { expected, lexicalFault, quote } from './lexical.ts'
import { orderOf } from './order.ts'
import { MAX_DEPTH } from './parse.ts'

type JsonObject = { readonly [key: string]: Json }

const tooDeep = `the value is nested more than ${MAX_DEPTH} deep`

/** A list or an object that is being validated. Frames are reused, because a value of 10 MB has millions. */
interface Frame {
  node: ListNode | ClassNode
  given: readonly Json[] | JsonObject
  /** The index of the next element or item. */
  index: number
}

/** The first reason why `value` is not the JSON form of a value of `root`. */
export function validateValue(
  root: Node,
  value: Json,
  vocabulary: Vocabulary,
  alternatives: Alternatives,
): { readonly path: string; readonly message: string } | null {
  const frames: Frame[] = []
  let depth = 0
  let message = begin(root, value)
  if (message !== null) return { path: pathOf(frames.slice(0, depth)), message }
  while (depth > 0) {
    const frame = frames[depth - 1]!
    const { node, given } = frame
    const i = frame.index++
    if (node.kind === 'list') {
      const elements = given as readonly Json[]
      if (i < elements.length) {
        message = begin(node.of, elements[i])
      } else {
        depth--
        // Elements can be compared only after all of them have been validated.
        if (node.sorted !== null) message = disorder(node, elements, alternatives)
      }
    } else {
      const item = node.items[i]
      if (item === undefined) depth--
      else if (item.kind === 'field') message = begin(item.type, (given as JsonObject)[item.label])
    }
    if (message !== null) return { path: pathOf(frames.slice(0, depth)), message }
  }
  return null

  function begin(outer: Node, given: Json | undefined): string | null {
    let node = outer
    if (node.kind === 'option') {
      if (given === null) return null
      // An option of an option has no text of its own and is refused by the checks.
      node = node.of
    }
    switch (node.kind) {
      case 'lexical':
        return lexicalFault(node.lexical, given, vocabulary)
      case 'list':
        if (!Array.isArray(given)) return expected('a list', given)
        if (node.layout?.first === true && given.length === 0) return `\`${node.text}\` has at least one element`
        return node.of.kind === 'lexical' && node.sorted === null
          ? plainList(node, node.of.lexical, given as readonly Json[])
          : enter(node, given as readonly Json[])
      case 'class':
        return object(node, given, 0)
      case 'choice': {
        if (!isObject(given)) return expected(`an object, a \`${node.text}\``, given)
        const name = Object.hasOwn(given, '$') ? given['$'] : undefined
        if (typeof name !== 'string') return `"$" is missing: it names the alternative of \`${node.text}\``
        const alternative = alternatives(node, name)
        if (alternative === undefined) return `${quote(name)} is not an alternative of \`${node.text}\``
        return object(alternative, given, 1)
      }
      default:
        return `\`${node.text}\` has no values here`
    }
  }

  /** Validates a list of lexical values, the most frequent kind, without a step for each. */
  function plainList(node: ListNode, lexical: Lexical, given: readonly Json[]): string | null {
    for (let i = 0; i < given.length; i++) {
      const fault = lexicalFault(lexical, given[i], vocabulary)
      if (fault === null) continue
      enter(node, given)
      frames[depth - 1]!.index = i + 1
      return fault
    }
    return depth < MAX_DEPTH ? null : tooDeep
  }

  /** Validates an object. `tags`: 1 if it has "$" besides the fields. */
  function object(node: ClassNode, given: Json | undefined, tags: 0 | 1): string | null {
    if (!isObject(given)) return expected(`an object, a \`${node.text}\``, given)
    return fieldFault(node, given, tags) ?? enter(node, given)
  }

  function enter(node: Frame['node'], given: Frame['given']): string | null {
    const frame = frames[depth++]
    if (frame === undefined) {
      frames.push({ node, given, index: 0 })
    } else {
      frame.node = node
      frame.given = given
      frame.index = 0
    }
    return depth > MAX_DEPTH ? tooDeep : null
  }
}

/** The first missing field or surplus key of an object; null if it has exactly its fields. `tags`: as in `object`. */
function fieldFault(node: ClassNode, given: JsonObject, tags: 0 | 1): string | null {
  let fields: number = tags
  for (const item of node.items) {
    if (item.kind !== 'field') continue
    fields++
    // A function is inherited from the prototype; JSON has none.
    const field: unknown = given[item.label]
    if (field === undefined || typeof field === 'function') {
      return `the field "${item.label}" of \`${node.text}\` is missing`
    }
  }
  if (Object.keys(given).length === fields) return null
  return `\`${node.text}\` has no field ${quote(surplus(node, given, tags))}`
}

/** A key of the object that is not a field. */
function surplus(node: ClassNode, given: JsonObject, tags: 0 | 1): string {
  const labels = new Set(node.items.flatMap((item) => (item.kind === 'field' ? [item.label] : [])))
  return Object.keys(given).find((key) => !labels.has(key) && !(tags === 1 && key === '$')) ?? ''
}

/** Why a list of values is not the canonical form of a set or a map; null: it is. */
function disorder(node: ListNode, elements: readonly Json[], alternatives: Alternatives): string | null {
  const compare = orderOf(node, alternatives)
  for (let i = 1; i < elements.length; i++) {
    const order = compare(elements[i - 1]!, elements[i]!)
    if (order < 0) continue
    const what = node.sorted === 'map' ? 'the key of element' : 'element'
    return order === 0
      ? `${what} ${i} of \`${node.text}\` is a duplicate`
      : `${what} ${i} of \`${node.text}\` must come before the previous one: sets and maps are sorted`
  }
  return null
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The path of the innermost frame, such as `constraints[3].weight`. The middle of a long path is left out. */
function pathOf(frames: readonly Frame[]): string {
  const steps = frames.map(({ node, index }, i) => {
    if (node.kind === 'list') return `[${index - 1}]`
    const item = node.items[index - 1]
    return item?.kind === 'field' ? `${i === 0 ? '' : '.'}${item.label}` : ''
  })
  return steps.length > 40 ? [...steps.slice(0, 20), '..', ...steps.slice(-20)].join('') : steps.join('')
}
