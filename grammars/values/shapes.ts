import type { Node } from '../class-dictionary/expand.ts'
import type { ClassShape, Shape } from './shape.ts'

/** A shape under construction. */
type Open<T> = { -readonly [key in keyof T]: T[key] }

/** Creates shapes of nodes, one for each node, so that the graph of shapes has the cycles of the graph of nodes. */
export function shapesOf(): (node: Node) => Shape {
  const made = new Map<Node, Shape>()
  const unfinished: (() => void)[] = []

  function make(node: Node): Shape {
    let shape = made.get(node)
    if (shape === undefined) made.set(node, (shape = begin(node)))
    return shape
  }

  function begin(node: Node): Shape {
    switch (node.kind) {
      case 'lexical':
        return { kind: node.lexical }
      case 'list':
      case 'option': {
        const shape: Open<Extract<Shape, { kind: 'list' | 'option' }>> = { kind: node.kind, of: { kind: 'int' } }
        if (shape.kind === 'list' && node.kind === 'list') {
          if (node.sorted !== null) shape.sorted = node.sorted
          if (node.layout?.first === true) shape.filled = true
        }
        unfinished.push(() => (shape.of = make(node.of)))
        return shape
      }
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
