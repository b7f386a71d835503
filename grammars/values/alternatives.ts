import type { ChoiceNode, ClassNode } from '../class-dictionary/expand.ts'

/** Finds the alternative of an abstract class that an object's `$` names. */
export type Alternatives = (node: ChoiceNode, name: string) => ClassNode | undefined

/** Finds alternatives by name, with a table for each abstract class that is used. */
export function alternativesByName(): Alternatives {
  const tables = new Map<ChoiceNode, ReadonlyMap<string, ClassNode>>()
  return (node, name) => {
    let table = tables.get(node)
    if (table === undefined) {
      table = new Map(node.alternatives.map((alternative) => [alternative.node.name, alternative.node]))
      tables.set(node, table)
    }
    return table.get(name)
  }
}
