import type { Node } from '../class-dictionary/expand.ts'
import { components } from '../class-dictionary/graph.ts'

/**
 * The sampler's facts about every type of a dictionary: size and height of its simplest value (an empty
 * list, an absent option, the smallest alternative), and whether a type can contain itself.
 */
export interface Survey {
  /** The number of objects and lists in the simplest value; Infinity: none. */
  size(node: Node): number
  /** The nesting of the simplest value. */
  height(node: Node): number
  /** Can a value of `inner` contain one of `outer`? */
  recursive(outer: Node, inner: Node): boolean
}

/** `nodes`: all reachable nodes, each at the index of its id. */
export function surveyOf(nodes: readonly Node[]): Survey {
  const component = components(nodes.length, (id) => below(nodes[id]!).map((inner) => inner.id))
  const height = nodes.map(() => Infinity)
  const size = nodes.map(() => Infinity)
  const missing = nodes.map((node) => (node.kind === 'choice' ? 1 : needs(node).length))
  const users = nodes.map((): Node[] => [])
  const ready: Node[] = []
  for (const node of nodes) {
    for (const inner of needs(node)) users[inner.id]!.push(node)
    if (missing[node.id] === 0) ready.push(node)
  }
  // A type is ready when all that it needs is known; an abstract class with its first known alternative.
  for (const node of ready) {
    const inner = needs(node)
    if (node.kind === 'choice') {
      const known = inner.filter(({ id }) => height[id]! < Infinity)
      const plain = known.reduce((a, b) => ((height[b.id]! - height[a.id]! || size[b.id]! - size[a.id]!) < 0 ? b : a))
      height[node.id] = height[plain.id]!
      size[node.id] = size[plain.id]!
    } else {
      const own = node.kind === 'class' || node.kind === 'list' ? 1 : 0
      height[node.id] = inner.reduce((most, { id }) => Math.max(most, height[id]!), 0) + own
      size[node.id] = inner.reduce((sum, { id }) => sum + size[id]!, own)
    }
    for (const user of users[node.id]!) if (--missing[user.id]! === 0) ready.push(user)
  }
  return {
    size: (node) => size[node.id]!,
    height: (node) => height[node.id]!,
    recursive: (outer, inner) => component[outer.id] === component[inner.id],
  }
}

function below(node: Node): readonly Node[] {
  if (node.kind === 'list' || node.kind === 'option') return [node.of]
  if (node.kind === 'choice') return node.alternatives.map((alternative) => alternative.node)
  return node.kind === 'class' ? node.items.flatMap((item) => (item.kind === 'field' ? [item.type] : [])) : []
}

/** The types that a type needs to have a value; an abstract class needs one of them. */
function needs(node: Node): readonly Node[] {
  if (node.kind === 'option') return []
  return node.kind === 'list' && node.layout?.first !== true ? [] : below(node)
}
