import { components } from '../graph.ts'
import type { TypeUse } from '../model.ts'
import { parentOf, problemIn, typesOf, withArguments } from './scope.ts'
import type { Finding, Located, Scope } from './scope.ts'

/**
 * Finds type parameters that grow around a cycle, as in `A(X) = <next> Option(A(List(X))).`: such a class would expand
 * to infinitely many. An edge means that one parameter is passed on as another, growing or unchanged.
 */
export function expansions(scope: Scope): readonly Finding[] {
  const ids = new Map<string, number>()
  const owners: Located[] = []
  for (const located of scope.classes.values()) {
    located.definition.parameters.forEach((_, i) => {
      ids.set(`${located.definition.name} ${i}`, owners.length)
      owners.push(located)
    })
  }
  const edges = owners.map((): number[] => [])
  const growing: { from: number; to: number; use: TypeUse }[] = []
  for (const { definition } of scope.classes.values()) {
    if (definition.parameters.length === 0) continue
    const own = new Map(definition.parameters.map(({ name }, i) => [name, ids.get(`${definition.name} ${i}`)!]))
    for (const use of withArguments(typesOf(definition))) {
      use.arguments.forEach((argument, i) => {
        const to = ids.get(`${use.name} ${i}`)
        if (to === undefined) return
        for (const inner of withArguments([argument])) {
          const from = own.get(inner.name)
          if (from === undefined) continue
          edges[from]!.push(to)
          if (inner !== argument) growing.push({ from, to, use })
        }
      })
    }
    // A class contains the fields that its parent shares.
    const parent = parentOf(scope, definition.name)
    parent?.use.arguments.forEach(({ name }, i) => {
      const index = parent.definition.parameters.findIndex((parameter) => parameter.name === name)
      const from = ids.get(`${definition.name} ${i}`)
      const to = ids.get(`${parent.definition.name} ${index}`)
      if (from !== undefined && to !== undefined && parent.definition.parts.length > 0) edges[from]!.push(to)
    })
  }
  const component = components(owners.length, (node) => edges[node]!)
  const complained = new Set<number>()
  return growing.flatMap(({ from, to, use }) => {
    const mine = component[from]!
    if (component[to] !== mine || complained.has(mine)) return []
    complained.add(mine)
    const { definition, file } = owners[from]!
    return [
      problemIn(
        file,
        use.at,
        `The type arguments of \`${definition.name}\` grow without end: each needs a larger one.`,
        'Pass the type parameter on unchanged.',
        { code: 'endless' },
      ),
    ]
  })
}
