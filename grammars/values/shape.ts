import type { Node } from '../class-dictionary/expand.ts'

/**
 * The shape of a type's values in a checked dictionary, with all parameters filled in. The graph may be cyclic: follow
 * `fields` and `alternatives` lazily.
 *
 * A value is JSON: int and number are JSON numbers (int: a safe integer; number: its shortest decimal text is the exact
 * value), boolean is true or false, ident, string, verbatim and char (of one character) are strings, a list is an
 * array, an absent option is null, a class is an object with exactly its labelled fields. If the shape is a
 * `choice`, the object also has `"$"`, the name of the alternative; nowhere else.
 */
export type Shape =
  | { readonly kind: 'int' | 'number' | 'boolean' | 'char' | 'ident' | 'string' | 'verbatim' }
  | ListShape
  | { readonly kind: 'option'; readonly of: Shape }
  | ClassShape
  | ChoiceShape

interface ListShape {
  readonly kind: 'list'
  readonly of: Shape
  /**
   * A Set or a Map is a sorted array without duplicates, in the order that docs/class-dictionaries.md states. The elements of a
   * Map are of class Entry, `{"key": .., "val": ..}`, and no two keys are equal. Absent: a List.
   */
  readonly sorted?: 'set' | 'map'
  /** There is always at least one element: a repetition of dialect A whose first element is outside it. */
  readonly filled?: true
}

/** A concrete class. `fields` in the order of the dictionary, common fields of an abstract parent last. */
export interface ClassShape {
  readonly kind: 'class'
  readonly name: string
  readonly fields: readonly { readonly label: string; readonly type: Shape }[]
}

/** An abstract class, flattened: abstract alternatives are replaced by theirs, so that each one here is concrete. */
export interface ChoiceShape {
  readonly kind: 'choice'
  readonly name: string
  readonly alternatives: readonly ClassShape[]
}

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
