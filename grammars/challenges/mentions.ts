import type { Demand } from '../formulas/index.ts'

/**
 * The demands that do not speak of a name, such as those on an instance whatever its predicate. A loop over what the name
 * stands for is left out with all that is in it; of other loops the demands inside are looked at one by one.
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

/** Whether a name stands anywhere in a part of a tree. Names are never hidden by others, so that no scope is needed. */
function mentions(part: unknown, name: string): boolean {
  if (typeof part !== 'object' || part === null) return false
  if ('kind' in part && part.kind === 'name' && 'name' in part) return part.name === name
  return Object.values(part).some((one) => mentions(one, name))
}
