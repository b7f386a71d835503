import type { Extent, Typed, TypedFunction } from './typed.ts'

/** Maximum nesting of an evaluation, so that it never overflows the stack. */
export const DEEPEST_RUN = 1500

export function extentOf(tree: Typed): Extent {
  const inner = partsOf(tree).map(extentOf)
  const called = tree.kind === 'call' ? tree.function.extent.depth : 0
  return {
    depth: 1 + inner.reduce((most, part) => Math.max(most, part.depth), called),
    size: 1 + inner.reduce((sum, part) => sum + part.size, 0),
  }
}

/** The steps that one run of these parts takes from the budget: one, or more if they are long. */
export function priceOf(...trees: readonly (Typed | null)[]): number {
  return 1 + Math.floor(trees.reduce((sum, tree) => sum + (tree ? extentOf(tree).size : 0), 0) / 50)
}

/** The steps of a call that a function makes of itself: one more for each of its names. */
export function ownPriceOf({ body, slots }: TypedFunction): number {
  return priceOf(body) + slots.end - slots.first
}

/** The parts of a formula; for a call, its arguments but not the function. */
export function partsOf(tree: Typed): readonly Typed[] {
  switch (tree.kind) {
    case 'constant':
    case 'local':
      return []
    case 'field':
    case 'not':
    case 'length':
    case 'distinct':
      return [tree.of]
    case 'element':
      return [tree.of, tree.index]
    case 'arithmetic':
    case 'apply':
    case 'call':
      return tree.args
    case 'order':
    case 'equal':
    case 'subset':
    case 'both':
    case 'either':
      return [tree.left, tree.right]
    case 'member':
      return [tree.value, tree.list]
    case 'between':
      return [tree.value, tree.low, tree.high]
    case 'list':
      return tree.elements
    case 'range':
      return [tree.low, tree.high]
    case 'gather':
      return [tree.body, ...tree.loops.flatMap((loop) => (loop.filter ? [loop.source, loop.filter] : [loop.source]))]
    case 'fold':
      return [
        tree.start,
        tree.body,
        ...tree.loops.flatMap((loop) => (loop.filter ? [loop.source, loop.filter] : [loop.source])),
      ]
    case 'lookup':
    case 'has':
      return [tree.entries, tree.key]
    case 'bit':
      return [tree.bits, tree.row]
    case 'if':
      return [tree.condition, tree.yes, tree.no]
    case 'let':
      return [tree.value, tree.body]
    case 'match':
      return [tree.subject, ...tree.cases.map((one) => one.body), ...(tree.other ? [tree.other] : [])]
  }
}
