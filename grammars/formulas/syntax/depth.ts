import type { Expression } from './tree.ts'

/** Maximum depth of a tree, so that checker, compiler and evaluation can safely recur. */
const DEEPEST = 400

/** The offset of a part that is too deep in the tree, or null. Does not recur: the tree may be very deep. */
export function tooDeepAt(tree: Expression): number | null {
  let level: Expression[] = [tree]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return level[0]?.at ?? 0
    level = level.flatMap(parts)
  }
  return null
}

function parts(tree: Expression): readonly Expression[] {
  switch (tree.kind) {
    case 'number':
    case 'boolean':
    case 'text':
    case 'name':
      return []
    case 'field':
    case 'prefix':
      return [tree.of]
    case 'element':
      return [tree.of, tree.index]
    case 'call':
      return tree.args
    case 'binary':
      return [tree.left, tree.right]
    case 'chain':
      return tree.operands
    case 'list':
      return tree.elements
    case 'gather':
      return [
        tree.body,
        ...(tree.start ? [tree.start.value] : []),
        ...tree.loops.flatMap((loop) => (loop.filter ? [loop.source, loop.filter] : [loop.source])),
      ]
    case 'if':
      return [tree.condition, tree.yes, tree.no]
    case 'let':
      return [tree.value, tree.body]
    case 'match':
      return [tree.subject, ...tree.cases.map((one) => one.body)]
  }
}
