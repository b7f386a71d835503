import type { Problem } from '../problem.ts'
import { builtInArity, builtInNames, foreignNames, lexicalNames } from './built-in.ts'
import { components, cycles } from './graph.ts'
import type { Definition, Dictionary, TypeUse } from './model.ts'
import { isAbstract, problemIn, typesOf, withArguments } from './scope.ts'
import type { Located, Scope } from './scope.ts'
import { nearest } from './suggest.ts'

/** Abstract classes inside abstract classes, at most. */
const MAX_ABSTRACT_NESTING = 100
/** Spelling suggestions cost a comparison with every class. */
const MAX_SUGGESTIONS = 50

/** Problems of names and of the relations between classes. Everything after this may rely on there being none. */
export function checkNames(dictionary: Dictionary, scope: Scope): readonly Problem[] {
  const named = [
    ...missingIncludes(dictionary),
    ...duplicateClasses(scope),
    ...scope.all.flatMap((located) => ownNames(located)),
    ...unboundNames(scope),
  ]
  if (named.length > 0) return named
  const related = [...alternatives(scope), ...alternativeCycles(scope)]
  if (related.length > 0) return related
  return [...inheritedNames(scope), ...expansions(scope)]
}

function missingIncludes(dictionary: Dictionary): readonly Problem[] {
  const known = new Set(dictionary.included.map(({ name }) => name))
  const files = [
    { file: null, inner: dictionary },
    ...dictionary.included.map((f) => ({ file: f.name, inner: f.dictionary })),
  ]
  return files.flatMap(({ file, inner }) =>
    inner.includes.flatMap(({ name, at }) =>
      known.has(name)
        ? []
        : [
            problemIn(
              file,
              at,
              `The included file "${name}" was not found.`,
              'Check its name; it is looked up beside this file.',
            ),
          ],
    ),
  )
}

function duplicateClasses(scope: Scope): readonly Problem[] {
  return scope.all.flatMap((located) => {
    const { name, at } = located.definition
    const first = scope.classes.get(name)!
    if (first.definition !== located.definition) {
      const place = `line ${first.definition.at.line}${first.file === null ? '' : ` of "${first.file}"`}`
      return [
        problemIn(
          located.file,
          at,
          `The class \`${name}\` is defined twice, first in ${place}.`,
          'Rename or remove one of them.',
        ),
      ]
    }
    if (lexicalNames.has(name) || foreignNames.has(name)) {
      return [problemIn(located.file, at, `\`${name}\` is built in and cannot be defined.`, 'Choose another name.')]
    }
    return []
  })
}

/** Labels and type parameters within one class. */
function ownNames({ definition, file }: Located): readonly Problem[] {
  const problems: Problem[] = []
  const labels = new Set<string>()
  for (const part of definition.parts) {
    if (part.kind !== 'field') continue
    const { label, at } = part
    if (label === '$' || label === '__proto__') {
      problems.push(
        problemIn(file, at, `The label \`${label}\` is reserved for the JSON form of values.`, 'Choose another label.'),
      )
    } else if (labels.has(label)) {
      problems.push(
        problemIn(file, at, `The field \`${label}\` of \`${definition.name}\` is there twice.`, 'Rename one of them.'),
      )
    }
    labels.add(label)
  }
  const parameters = new Set<string>()
  for (const { name, at } of definition.parameters) {
    if (parameters.has(name)) {
      problems.push(
        problemIn(
          file,
          at,
          `The type parameter \`${name}\` of \`${definition.name}\` is there twice.`,
          'Rename one of them.',
        ),
      )
    }
    parameters.add(name)
  }
  return problems
}

function unboundNames(scope: Scope): readonly Problem[] {
  const problems: Problem[] = []
  const complained = new Set<string>()
  for (const { definition, file } of scope.all) {
    const parameters = new Set(definition.parameters.map(({ name }) => name))
    const bounds = definition.parameters.flatMap(({ bound }) => (bound === null ? [] : [bound]))
    for (const use of withArguments([...typesOf(definition), ...definition.implements, ...bounds])) {
      const suggest = !complained.has(use.name) && complained.size < MAX_SUGGESTIONS
      const problem = checkTypeUse(scope, use, file, parameters, suggest)
      if (problem === null) continue
      complained.add(use.name)
      problems.push(problem)
    }
  }
  return problems
}

/** Is this name known, with this number of type arguments? The arguments themselves are not looked at. */
export function checkTypeUse(
  scope: Scope,
  use: TypeUse,
  file: string | null,
  parameters: ReadonlySet<string>,
  suggest: boolean,
): Problem | null {
  const { name, at } = use
  const arity = parameters.has(name) ? 0 : (scope.classes.get(name)?.definition.parameters.length ?? builtInArity(name))
  if (arity === undefined) {
    const near = suggest ? nearest(name, [...parameters, ...scope.classes.keys(), ...builtInNames]) : null
    const hint = near === null ? `Define it: \`${name} = .\`` : `Did you mean \`${near}\`?`
    return problemIn(file, at, `The class \`${name}\` is not defined.`, hint)
  }
  if (arity === use.arguments.length) return null
  const wanted = arity === 0 ? 'no type arguments' : arity === 1 ? '1 type argument' : `${arity} type arguments`
  const some = Array.from({ length: Math.min(arity, 9) }, () => 'int').join(', ')
  const hint = `Write it like \`${name}${arity === 0 ? '' : `(${some})`}\`.`
  return problemIn(file, at, `\`${name}\` takes ${wanted}, here it has ${use.arguments.length}.`, hint)
}

function alternatives(scope: Scope): readonly Problem[] {
  const problems: Problem[] = []
  for (const { definition, file } of scope.all) {
    const seen = new Set<string>()
    const parameters = new Set(definition.parameters.map(({ name }) => name))
    for (const { name, at } of definition.alternatives) {
      if (parameters.has(name) || !scope.classes.has(name)) {
        problems.push(
          problemIn(
            file,
            at,
            `\`${name}\` cannot be an alternative of \`${definition.name}\`: it is no class of this dictionary.`,
            `Make it a part of a class of its own: \`Of${upper(name)} = <value> ${name}.\``,
          ),
        )
      } else if (seen.has(name)) {
        problems.push(
          problemIn(file, at, `\`${name}\` is an alternative of \`${definition.name}\` twice.`, 'Remove one of them.'),
        )
      }
      seen.add(name)
    }
  }
  for (const [name, parents] of scope.parents) {
    const [first, ...others] = new Map(parents.map((parent) => [parent.definition.name, parent])).values()
    for (const other of others) {
      problems.push(
        problemIn(
          other.file,
          other.use.at,
          `\`${name}\` has two abstract parents, \`${first!.definition.name}\` and \`${other.definition.name}\`.`,
          `Give \`${other.definition.name}\` a class of its own that holds a \`${name}\`, or make it an interface.`,
        ),
      )
    }
  }
  return problems
}

function upper(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function alternativeCycles(scope: Scope): readonly Problem[] {
  const located = [...scope.classes.values()]
  const index = new Map(located.map(({ definition }, i) => [definition.name, i]))
  const next = (node: number): number[] =>
    located[node]!.definition.alternatives.flatMap(({ name }) => index.get(name) ?? [])
  const problems = cycles(located.length, next).map((cycle) => {
    const names = cycle.map((node) => located[node]!.definition.name)
    const { definition, file } = located[cycle[0]!]!
    const way = [...names.slice(0, 8), ...(names.length > 8 ? ['..'] : []), names[0]].join(' = ')
    return problemIn(
      file,
      definition.at,
      `\`${definition.name}\` is an alternative of itself: ${way}.`,
      `In this dialect \`A = B.\` makes A an abstract class; a part needs a label: \`A = <b> B.\``,
    )
  })
  if (problems.length > 0) return problems

  const depths = new Map<string, number>()
  for (const { definition } of located) {
    // Parents first: a chain of names upwards, each with its depth known afterwards.
    const chain: string[] = []
    let at: string | undefined = definition.name
    while (at !== undefined && !depths.has(at)) {
      chain.push(at)
      at = scope.parents.get(at)?.[0]?.definition.name
    }
    let depth = at === undefined ? -1 : depths.get(at)!
    for (const name of chain.reverse()) depths.set(name, ++depth)
  }
  const deep = located.find(({ definition }) => depths.get(definition.name)! > MAX_ABSTRACT_NESTING)
  return deep === undefined
    ? []
    : [
        problemIn(
          deep.file,
          deep.definition.at,
          `\`${deep.definition.name}\` is inside more than ${MAX_ABSTRACT_NESTING} abstract classes.`,
          'Flatten the alternatives.',
        ),
      ]
}

/** The abstract class above a class, where there is one. */
function parentOf(scope: Scope, name: string): (Located & { readonly use: TypeUse }) | undefined {
  return scope.parents.get(name)?.[0]
}

/** Shared fields must not clash with a class's own, and their types must be known from the class's own arguments. */
function inheritedNames(scope: Scope): readonly Problem[] {
  const problems: Problem[] = []
  const labels = new Map([...scope.classes].map(([name, { definition }]) => [name, labelsOf(definition)]))
  for (const { definition, file } of scope.classes.values()) {
    const above: Located[] = []
    for (let parent = parentOf(scope, definition.name); parent !== undefined;) {
      above.push(parent)
      parent = parentOf(scope, parent.definition.name)
    }
    for (const part of definition.parts) {
      if (part.kind !== 'field') continue
      const clash = above.find((parent) => labels.get(parent.definition.name)!.has(part.label))
      if (clash === undefined) continue
      problems.push(
        problemIn(
          file,
          part.at,
          `The field \`${part.label}\` of \`${definition.name}\` is also a shared field of \`${clash.definition.name}\`.`,
          'Rename one of them.',
        ),
      )
    }
    if (!isAbstract(definition) || definition.parameters.length === 0) continue
    const shares = [definition, ...above.map((parent) => parent.definition)].some(
      (one) => labels.get(one.name)!.size > 0,
    )
    if (!shares) continue
    for (const use of definition.alternatives) {
      const passed = new Set(use.arguments.map(({ name }) => name))
      const lost = definition.parameters.find(({ name }) => !passed.has(name))
      if (lost === undefined) continue
      problems.push(
        problemIn(
          file,
          use.at,
          `\`${use.name}\` does not take the type parameter \`${lost.name}\` of \`${definition.name}\`, whose shared fields it has.`,
          `Write \`${use.name}(${definition.parameters.map(({ name }) => name).join(', ')})\` here and where it is defined.`,
        ),
      )
    }
  }
  return problems
}

function labelsOf(definition: Definition): ReadonlySet<string> {
  return new Set(definition.parts.flatMap((part) => (part.kind === 'field' ? [part.label] : [])))
}

/**
 * Type parameters that grow around a cycle, as in `A(X) = <next> Option(A(List(X))).`: such a class would stand for
 * infinitely many. An edge says that one parameter is handed on as another, growing or as it is.
 */
function expansions(scope: Scope): readonly Problem[] {
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
    // What a class shares with its parent's other alternatives, it holds itself.
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
        'Hand the type parameter on as it is.',
      ),
    ]
  })
}
