import type { Demand } from '../formulas/index.ts'

/**
 * The demands that do not mention a name, such as the demands on an instance that hold for any predicate. A loop whose
 * source mentions the name is left out entirely; in other loops each demand is examined separately.
 */
export function demandsWithout(name: string, demands: readonly Demand[]): readonly Demand[] {
  return demands.flatMap((demand): readonly Demand[] => {
    if (demand.kind === 'each') {
      return mentions(demand.loop, name) ? [] : [{ ...demand, demands: demandsWithout(name, demand.demands) }]
    }
    const { condition, sentence } = demand
    return mentions(condition, name) || new RegExp(`\\{[^}]*\\b${name}\\b`).test(sentence.image) ? [] : [demand]
  })
}

/** Looks for a name in a part of a tree. Names are never shadowed, so no scope is needed. */
export function mentions(part: unknown, name: string): boolean {
  if (typeof part !== 'object' || part === null) return false
  if ('kind' in part && part.kind === 'name' && 'name' in part) return part.name === name
  return Object.values(part).some((one) => mentions(one, name))
}
