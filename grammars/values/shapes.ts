import type { Node } from '../class-dictionary/expand.ts'
import type { ClassShape, Shape } from './shape.ts'

/** Shapes of nodes, each node's made once, so that the graph of shapes is as cyclic as the graph of nodes. */
export function shapesOf(): (node: Node) => Shape {
  const made = new Map<Node, Shape>()
  const unfinished: (() => void)[] = []

  function make(node: Node): Shape {
    // Lists of lists can be as deep as type arguments make them: from the inside outwards, without recursion.
    const open = [node]
    for (let inner = node; (inner.kind === 'list' || inner.kind === 'option') && !made.has(inner.of);) {
      inner = inner.of
      open.push(inner)
    }
    for (const one of open.reverse()) if (!made.has(one)) made.set(one, begin(one))
    return made.get(node)!
  }

  function begin(node: Node): Shape {
    switch (node.kind) {
      case 'lexical':
        return { kind: node.lexical }
      case 'list':
      case 'option':
        return { kind: node.kind, of: made.get(node.of)! }
      case 'class': {
        const fields: { label: string; type: Shape }[] = []
        unfinished.push(() => {
          for (const item of node.items) {
            if (item.kind === 'field') fields.push({ label: item.label, type: make(item.type) })
          }
        })
        return { kind: 'class', name: node.name, fields }
      }
      case 'choice': {
        const alternatives: ClassShape[] = []
        unfinished.push(() => {
          for (const { node: alternative } of node.alternatives) alternatives.push(make(alternative) as ClassShape)
        })
        return { kind: 'choice', name: node.name, alternatives }
      }
      case 'foreign':
        throw new Error(`\`${node.text}\` has no shape.`)
    }
  }

  return (node) => {
    const shape = make(node)
    for (let finish = unfinished.pop(); finish !== undefined; finish = unfinished.pop()) finish()
    return shape
  }
}
