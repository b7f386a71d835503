import { components } from './graph.ts'
import type { Dictionary } from './model.ts'
import { fieldsOf, finding, scopeOf, typesOf, withArguments } from './scope.ts'
import type { Finding, Scope } from './scope.ts'

/**
 * Remarks about classes of the main file that no value of the first class can contain (the first class that contains
 * others). For classes that reach each other, only the first in the text is reported, and none that it reaches.
 */
export function unreachableClasses(dictionary: Dictionary): readonly Finding[] {
  const scope = scopeOf(dictionary)
  const names = [...scope.classes.keys()]
  const index = new Map(names.map((name, i) => [name, i]))
  const next = names.map((name) => usedBy(scope, name).flatMap((used) => index.get(used) ?? []))
  const start = names.find((_, i) => next[i]!.some((to) => to !== i)) ?? names[0]
  if (start === undefined) return []

  const component = components(names.length, (node) => next[node]!)
  const reached = new Set([component[index.get(start) ?? -1]])
  const told = new Set<number>()
  // Tarjan numbers a component before those that reach it: from the last to the first, users come before what they use.
  const order = names.map((_, i) => i).sort((a, b) => component[b]! - component[a]! || a - b)
  for (const from of order) {
    const mine = component[from]!
    if (!reached.has(mine)) continue
    for (const to of next[from]!) reached.add(component[to])
  }
  const held = new Set<number>()
  return order
    .flatMap((node) => {
      const mine = component[node]!
      // An abstract class may exist only for one of its alternatives.
      const { alternatives } = scope.classes.get(names[node]!)!.definition
      const named = alternatives.some(({ name }) => reached.has(component[index.get(name) ?? -1]))
      if (reached.has(mine) || named) return []
      const first = !told.has(mine) && !held.has(mine)
      told.add(mine)
      for (const to of next[node]!) if (component[to] !== mine) held.add(component[to]!)
      const { definition, file } = scope.classes.get(names[node]!)!
      if (!first || file !== null) return []
      const message = `No value of \`${start}\` can contain a \`${definition.name}\`.`
      return [finding('remark', null, definition.at, message, 'Remove it, or use it in a field.')]
    })
    .sort((a, b) => a.at.offset - b.at.offset)
}

/** The classes that a value of a class can contain or be, and the abstract classes above it, which count as used. */
function usedBy(scope: Scope, name: string): readonly string[] {
  const { definition } = scope.classes.get(name)!
  const parents = scope.parents.get(name) ?? []
  const uses = [
    ...typesOf(definition),
    ...definition.implements,
    ...(definition.extends ?? []),
    ...parents.flatMap((parent) => fieldsOf(parent.definition).map(({ type }) => type)),
  ]
  return withArguments(uses).map((use) => use.name)
}
