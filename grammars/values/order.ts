import type { ListNode, Node } from '../class-dictionary/expand.ts'
import type { Json } from '../json.ts'
import type { Alternatives } from './alternatives.ts'

type JsonObject = { readonly [key: string]: Json }

/** Sorts the elements of a set or the entries of a map and removes duplicates; the first of equal ones is kept. */
export function inOrder(
  node: ListNode,
  elements: readonly Json[],
  alternatives: Alternatives,
): {
  readonly elements: Json[]
  /** The index, before sorting, of a map's entry with the key of an earlier one; null: none, or a set. */
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

/** The comparison of the elements of a set, or of the entries of a map by their keys. */
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

/** Compares two numbers, texts or booleans. */
function compareLexical(left: Json, right: Json): number {
  return left === right ? 0 : (left as string) < (right as string) ? -1 : 1
}

/**
 * Compares two values of one type, for the order of sets and of the keys of maps; below 0: `left` comes first; 0:
 * equal. Numbers by size, texts by UTF-16 units, false before true, an absent option first, lists and objects by their
 * first difference, a list before its continuations, alternatives by name. Does not recur, however deep the values.
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
