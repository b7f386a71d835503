import type { ListNode, Node } from '../class-dictionary/expand.ts'
import type { Json } from '../json.ts'
import type { Alternatives } from './alternatives.ts'

type JsonObject = { readonly [key: string]: Json }

/** Sorts the elements of a set or the entries of a map, each once; the first of equal ones stays. */
export function inOrder(
  node: ListNode,
  elements: readonly Json[],
  alternatives: Alternatives,
): {
  readonly elements: Json[]
  /** The place, before sorting, of an entry whose key an earlier one has; null: there is none, or it is a set. */
  readonly again: number | null
} {
  const compare = orderOf(node, alternatives)
  const order = elements.map((_, i) => i).sort((a, b) => compare(elements[a]!, elements[b]!) || a - b)
  const kept: Json[] = []
  let again: number | null = null
  for (const i of order) {
    const element = elements[i]!
    if (kept.length === 0 || compare(kept.at(-1)!, element) !== 0) kept.push(element)
    else if (node.sorted === 'map') again ??= i
  }
  return { elements: kept, again }
}

/** The order of the elements of a set, and of the entries of a map, which is that of their keys. */
export function orderOf(node: ListNode, alternatives: Alternatives): (left: Json, right: Json) => number {
  const { of } = node
  const key = node.sorted === 'map' && of.kind === 'class' ? of.items.find((item) => item.kind === 'field') : undefined
  if (key?.kind !== 'field') return orderOfValues(of, alternatives)
  const { type, label } = key
  const compare = orderOfValues(type, alternatives)
  return (left, right) => compare((left as JsonObject)[label]!, (right as JsonObject)[label]!)
}

function orderOfValues(type: Node, alternatives: Alternatives): (left: Json, right: Json) => number {
  return type.kind === 'lexical' ? compareLexical : (left, right) => compareValues(type, left, right, alternatives)
}

/** Both are numbers, texts or booleans. */
function compareLexical(left: Json, right: Json): number {
  return left === right ? 0 : (left as string) < (right as string) ? -1 : 1
}

/**
 * Which of two values of one type comes first in a set, and in a map by its keys; 0: they are equal. Numbers by size, texts
 * by their UTF-16 units, false before true, an absent option first, lists and objects from the first part that differs, a
 * list before its continuations, alternatives by name. Below 0: `left` does. Needs no stack, however deep the values.
 */
function compareValues(type: Node, left: Json, right: Json, alternatives: Alternatives): number {
  const open: { readonly node: Node; readonly left: Json; readonly right: Json; at: number }[] = []
  let difference = begin(type, left, right)
  for (let top = open.at(-1); top !== undefined && difference === 0; top = open.at(-1)) {
    const at = top.at++
    if (top.node.kind === 'list') {
      const one = top.left as readonly Json[]
      const other = top.right as readonly Json[]
      if (at < one.length && at < other.length) {
        difference = begin(top.node.of, one[at]!, other[at]!)
      } else {
        open.pop()
        difference = one.length - other.length
      }
    } else {
      const item = top.node.kind === 'class' ? top.node.items[at] : undefined
      if (item === undefined) open.pop()
      else if (item.kind === 'field') {
        difference = begin(item.type, (top.left as JsonObject)[item.label]!, (top.right as JsonObject)[item.label]!)
      }
    }
  }
  return difference

  function begin(outer: Node, one: Json, other: Json): number {
    let node = outer
    if (node.kind === 'option') {
      if (one === null || other === null) return Number(one !== null) - Number(other !== null)
      node = node.of
    }
    if (node.kind === 'lexical') return compareLexical(one, other)
    if (node.kind === 'choice') {
      const name = (one as JsonObject)['$'] as string
      const otherName = (other as JsonObject)['$'] as string
      if (name !== otherName) return name < otherName ? -1 : 1
      node = alternatives(node, name)!
    }
    open.push({ node, left: one, right: other, at: 0 })
    return 0
  }
}
