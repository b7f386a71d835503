import type { Node } from '../class-dictionary/expand.ts'
import { components } from '../class-dictionary/graph.ts'

/**
 * What the sampler must know of every type of a dictionary: how large and how deep its simplest value is (an empty list, an
 * absent option, the alternative that ends soonest), and where a type can hold itself.
 */
export interface Survey {
  /** Objects and lists in the simplest value; Infinity where there is none. */
  size(node: Node): number
  /** How deep they stand inside one another. */
  height(node: Node): number
  /** Can a value of `inner` hold one of `outer` again? */
  recursive(outer: Node, inner: Node): boolean
}

/** `nodes`: all that can be reached, each at the place of its id. */
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
  // A type once all that it needs is known, an abstract class with the first of its alternatives.
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

/** The types without which a type has no value: of an abstract class one of them. */
function needs(node: Node): readonly Node[] {
  if (node.kind === 'option') return []
  return node.kind === 'list' && node.layout?.first !== true ? [] : below(node)
}
