import { DEEPEST_RUN, partsOf } from '../checking/extent.ts'
import type { Typed, TypedFunction } from '../checking/typed.ts'

/** The most calls of itself that one run of a function's body makes, from above; Infinity: as many as a loop has elements. */
export function ownCallsOf(tree: Typed): number {
  const all = (parts: readonly Typed[]): number => parts.reduce((sum, part) => sum + ownCallsOf(part), 0)
  switch (tree.kind) {
    case 'call':
      return all(tree.args) + (tree.own ? 1 : 0)
    case 'if':
      return ownCallsOf(tree.condition) + Math.max(ownCallsOf(tree.yes), ownCallsOf(tree.no))
    case 'match': {
      const bodies = tree.cases.map(({ body }) => ownCallsOf(body))
      return ownCallsOf(tree.subject) + Math.max(...bodies, tree.other === null ? 0 : ownCallsOf(tree.other))
    }
    case 'gather':
    case 'fold':
      return all(partsOf(tree)) === 0 ? 0 : Infinity
    default:
      return all(partsOf(tree))
  }
}

/** The runs of a function that calls itself once in each: its calls nest until the formulas in them are too deep. */
export function runsOf({ extent }: TypedFunction): number {
  return 1 + Math.floor(DEEPEST_RUN / extent.depth)
}

/** The slots of the parameters that a function passes on unchanged in all calls of itself. */
export function keptSlots({ body, parameters }: TypedFunction): ReadonlySet<number> {
  const kept = new Set(parameters.map(({ slot }) => slot))
  const todo: Typed[] = [body]
  for (let tree = todo.pop(); tree !== undefined; tree = todo.pop()) {
    todo.push(...partsOf(tree))
    if (tree.kind !== 'call' || !tree.own) continue
    for (const [i, { slot }] of parameters.entries()) {
      const arg = tree.args[i]
      if (arg?.kind !== 'local' || arg.slot !== slot) kept.delete(slot)
    }
  }
  return kept
}
