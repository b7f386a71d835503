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

/**
 * True if a number of a function is at most that of a run without the calls of itself, and these together: each is added once at
 * most, or is one of several of which the largest or smallest is taken.
 */
export function isAdditive({ body }: TypedFunction): boolean {
  const flows = flowsOf(body, new Map())
  return flows !== null && [...flows.values()].every((times) => times <= 1)
}

/** How often each call of the function itself goes into a value. */
type Flows = ReadonlyMap<Typed, number>

/** null: as something else than a summand. `names`: the flows of the values of names. */
function flowsOf(tree: Typed, names: Map<number, Flows>): Flows | null {
  const inner = (part: Typed): Flows | null => flowsOf(part, names)
  const oneOf = (parts: readonly Typed[]): Flows | null => parts.map(inner).reduce((a, b) => joined(a, b, Math.max))
  switch (tree.kind) {
    case 'local':
      return names.get(tree.slot) ?? new Map()
    case 'let': {
      const value = inner(tree.value)
      if (value === null) return null
      names.set(tree.slot, value)
      return inner(tree.body)
    }
    case 'call':
      return tree.own ? new Map([[tree, 1]]) : isFree(tree, names) ? new Map() : null
    case 'if':
      return oneOf([tree.yes, tree.no])
    case 'match':
      // A part of the subject's value is in the names of the cases.
      if (!isFree(tree.subject, names)) return null
      return oneOf([...tree.cases.map(({ body }) => body), ...(tree.other === null ? [] : [tree.other])])
    case 'arithmetic':
      if (!['+', '-', 'min', 'max'].includes(tree.operator)) break
      return tree.args.map(inner).reduce((a, b) => joined(a, b, (one, other) => one + other))
    case 'gather': {
      // The number of rounds and the values of the loops' names come from their sources.
      const isKnown = tree.loops.every(
        ({ source, filter }) => isFree(source, names) && (filter === null || isFree(filter, names)),
      )
      const flows = tree.fold === 'sum' && isKnown ? inner(tree.body) : null
      if (flows === null) break
      // A call outside the loop would be added in each of its rounds.
      const within = new Set(allParts(tree.body))
      return [...flows.keys()].every((call) => within.has(call)) ? flows : null
    }
    default:
  }
  return isFree(tree, names) ? new Map() : null
}

function joined(a: Flows | null, b: Flows | null, of: (one: number, other: number) => number): Flows | null {
  if (a === null || b === null) return null
  return new Map([...a, ...b].map(([call]) => [call, of(a.get(call) ?? 0, b.get(call) ?? 0)]))
}

/** True if no call of the function itself goes into any part. */
function isFree(tree: Typed, names: ReadonlyMap<number, Flows>): boolean {
  return allParts(tree).every((part) => {
    return part.kind === 'call' ? !part.own : part.kind !== 'local' || (names.get(part.slot)?.size ?? 0) === 0
  })
}

/** A formula and all its parts, but not the functions that it calls. */
function allParts(tree: Typed): readonly Typed[] {
  const found = [tree]
  for (const part of found) found.push(...partsOf(part))
  return found
}

/** The slots of the parameters that a function passes on unchanged in all calls of itself. */
export function keptSlots({ body, parameters }: TypedFunction): ReadonlySet<number> {
  const kept = new Set(parameters.map(({ slot }) => slot))
  for (const tree of allParts(body)) {
    if (tree.kind !== 'call' || !tree.own) continue
    for (const [i, { slot }] of parameters.entries()) {
      const arg = tree.args[i]
      if (arg?.kind !== 'local' || arg.slot !== slot) kept.delete(slot)
    }
  }
  return kept
}
