import { builtInArity, builtInNames, dialectsWith, nameInC } from '../built-in.ts'
import { components, cycles } from '../graph.ts'
import { includedPath } from '../included-path.ts'
import type { Definition, Dictionary, TypeUse } from '../model.ts'
import { fieldsOf, finding, isAbstract, problemIn, typesOf, withArguments } from './scope.ts'
import type { Finding, Located, Scope } from './scope.ts'
import { labelFor } from '../label.ts'
import { nearest } from './suggest.ts'

/** Maximum nesting of abstract classes. */
const MAX_ABSTRACT_NESTING = 100
/** Maximum number of spelling suggestions, because each compares with every class. */
const MAX_SUGGESTIONS = 50

/** Checks names and the relations between classes. All later checks rely on there being no error. */
export function checkNames(dictionary: Dictionary, scope: Scope): readonly Finding[] {
  const missing = missingIncludes(dictionary)
  const named = [
    ...missing,
    ...duplicateClasses(scope),
    ...scope.all.flatMap((located) => ownNames(located)),
    // A file that is missing may define any name.
    ...(missing.length > 0 ? [] : unboundNames(dictionary, scope)),
  ]
  if (hasErrors(named)) return named
  const related = [...named, ...alternatives(scope), ...mixedElements(scope), ...alternativeCycles(scope)]
  if (hasErrors(related)) return related
  return [...related, ...inheritedNames(scope), ...expansions(scope)]
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error')
}

function missingIncludes(dictionary: Dictionary): readonly Finding[] {
  const known = new Set(dictionary.included.map(({ name }) => name))
  const files = [
    { file: null, inner: dictionary },
    ...dictionary.included.map((f) => ({ file: f.name, inner: f.dictionary })),
  ]
  return files.flatMap(({ file, inner }) =>
    inner.includes.flatMap(({ name, at }) =>
      known.has(includedPath(file, name))
        ? []
        : [
            problemIn(file, at, `The included file "${name}" was not found.`, includeHint(includedPath(file, name)), {
              code: 'include-missing',
            }),
          ],
    ),
  )
}

const includeHint = (path: string): string =>
  path.startsWith('/') || path.startsWith('../')
    ? 'It must be in the folder of the first file or below; --root FOLDER allows a folder above.'
    : 'Check its name; it is looked up beside this file.'

function duplicateClasses(scope: Scope): readonly Finding[] {
  return scope.all.flatMap((located) => {
    const { name, at } = located.definition
    const first = scope.classes.get(name)!
    if (first.definition !== located.definition) {
      const elsewhere = first.file === null ? 'the file that is read' : `"${first.file}"`
      const place = `line ${first.definition.at.line}${first.file === located.file ? '' : ` of ${elsewhere}`}`
      return [
        problemIn(
          located.file,
          at,
          `The class \`${name}\` is defined twice, first in ${place}.`,
          'Rename or remove one of them.',
          { code: 'class-twice' },
        ),
      ]
    }
    if (builtInArity(name, scope.dialectOf(located.file)) !== 0) return []
    const message = `\`${name}\` is built in; here it means this class instead.`
    return [finding('remark', located.file, at, message, 'Choose another name.')]
  })
}

/** Labels and type parameters within one class. */
function ownNames({ definition, file }: Located): readonly Finding[] {
  const problems: Finding[] = []
  const labels = new Set<string>()
  for (const { label, at, implicit } of fieldsOf(definition)) {
    // Unlabelled parts with the same label are numbered.
    if (implicit === true) continue
    if (label === '$' || label === '__proto__') {
      const message = `The label \`${label}\` has another meaning in JSON; values use \`${label}2\`.`
      problems.push(finding('remark', file, at, message, 'Choose another label.'))
    } else if (labels.has(label)) {
      const message = `\`${definition.name}\` has two fields \`${label}\`.`
      problems.push(problemIn(file, at, message, 'Rename one of them.', { code: 'label-twice' }))
    }
    labels.add(label)
  }
  const parameters = new Set<string>()
  for (const { name, at } of definition.parameters) {
    if (parameters.has(name)) {
      problems.push(
        finding(
          'remark',
          file,
          at,
          `\`${definition.name}\` has two type parameters \`${name}\`.`,
          'Rename one of them.',
        ),
      )
    }
    parameters.add(name)
  }
  return problems
}

function unboundNames(dictionary: Dictionary, scope: Scope): readonly Finding[] {
  const problems: Finding[] = []
  const complained = new Set<string>()
  const imports = importsOf(dictionary)
  for (const { definition, file } of scope.all) {
    const parameters = new Set(definition.parameters.map(({ name }) => name))
    const older = scope.dialectOf(file) === 'A'
    const say = (use: TypeUse, elsewhere: boolean): void => {
      const again = complained.has(use.name)
      const suggest = !again && complained.size < MAX_SUGGESTIONS
      const problem = checkTypeUse(scope, use, file, parameters, suggest)
      if (problem === null) return
      complained.add(use.name)
      // One definition that is missing is one problem, however often it is used.
      if (again && problem.code === 'class-unknown') return
      const unknown = !scope.classes.has(use.name) && !parameters.has(use.name)
      const java =
        unknown && (elsewhere || use.external === true || use.module !== undefined || imports.names.has(use.name))
      // A name similar to one of this dictionary is taken for a typing error, whatever is imported.
      const perhaps = unknown && imports.all && !(suggest && nearest(use.name, scope.classes.keys()) !== null)
      if (!older || !(java || perhaps)) problems.push(problem)
      else if (!java) {
        const message = `The class \`${use.name}\` is not defined here; it is taken to be imported.`
        problems.push(
          finding('remark', file, use.at, message, 'Its values can be read and written by its program only.'),
        )
      }
    }
    const bounds = definition.parameters.flatMap(({ bound }) => (bound === null ? [] : [bound]))
    for (const use of withArguments([...typesOf(definition), ...bounds])) say(use, false)
    // In dialect A these are names of handwritten classes.
    for (const use of withArguments([...definition.implements, ...(definition.extends ?? [])])) say(use, true)
  }
  return problems
}

/** The names imported from Java, and whether an import covers a whole package. */
function importsOf(dictionary: Dictionary): { readonly names: ReadonlySet<string>; readonly all: boolean } {
  const imports = [dictionary, ...dictionary.included.map((file) => file.dictionary)].flatMap((file) => [
    ...file.imports,
    ...file.definitions.flatMap((definition) => definition.package?.imports ?? []),
  ])
  return {
    names: new Set(imports.filter(({ all }) => !all).map(({ name }) => name.slice(name.lastIndexOf('.') + 1))),
    all: imports.some(({ all }) => all),
  }
}

/** Is this name known, with this number of type arguments? The arguments themselves are not checked. */
export function checkTypeUse(
  scope: Scope,
  use: TypeUse,
  file: string | null,
  parameters: ReadonlySet<string>,
  suggest: boolean,
): Finding | null {
  const { name, at } = use
  const dialect = scope.dialectOf(file)
  const arity = parameters.has(name)
    ? 0
    : (scope.classes.get(name)?.definition.parameters.length ?? builtInArity(name, dialect))
  if (arity === undefined) {
    const known = suggest ? [...parameters, ...scope.classes.keys(), ...builtInNames(dialect)] : []
    const near = dialect === 'A' ? nearest(name, known) : (nameInC(name) ?? nearest(name, known))
    const [other] = dialectsWith(name)
    const hints = [
      near === null ? `Define it: \`${name} = .\`` : `Did you mean \`${near}\`?`,
      ...(other === undefined
        ? []
        : [`Dialect ${other} defines it; select it with \`// dialect: ${other}\` as the first line.`]),
    ]
    const { offset } = at
    const remedy = near === null ? {} : { remedy: { from: offset, to: offset + name.length, text: near } }
    return problemIn(file, at, `The class \`${name}\` is not defined.`, hints.join(' '), {
      code: 'class-unknown',
      ...remedy,
    })
  }
  if (arity === use.arguments.length) return null
  const wanted = arity === 0 ? 'no type arguments' : arity === 1 ? '1 type argument' : `${arity} type arguments`
  const some = Array.from({ length: Math.min(arity, 9) }, () => 'int').join(', ')
  const hint = `Write it like \`${name}${arity === 0 ? '' : `(${some})`}\`.`
  return problemIn(file, at, `\`${name}\` takes ${wanted}, but here it has ${use.arguments.length}.`, hint)
}

function alternatives(scope: Scope): readonly Finding[] {
  const problems: Finding[] = []
  for (const { definition, file } of scope.all) {
    const seen = new Set<string>()
    const parameters = new Set(definition.parameters.map(({ name }) => name))
    for (const { name, at } of definition.alternatives) {
      if (parameters.has(name) || !scope.classes.has(name)) {
        const message = `\`${name}\` is not a class of this dictionary, so it cannot be an alternative of \`${definition.name}\`.`
        const one = `Make it a part of a class of its own: \`Of${upper(name)} = <value> ${name}.\``
        const part = `In dialects A and B this would be a part; select one with \`// dialect: A\` as the first line.`
        const alone = scope.dialectOf(file) === 'C' && definition.alternatives.length === 1
        const text = `<${labelFor(name)}> `
        const remedy = { from: at.offset, to: at.offset, text }
        if (alone) {
          const label = `A part needs a label: \`${definition.name} = ${text}${name}.\` ${part}`
          problems.push(finding('doubt', file, at, message, label, { code: 'label-missing', remedy }))
        } else problems.push(finding('doubt', file, at, message, one))
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
      // Demeter/C++ allows this.
      const severity = scope.dialectOf(other.file) === 'A' ? 'remark' : 'error'
      problems.push(
        finding(
          severity,
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

/** Finds repetitions whose first element has another class than the others. */
function mixedElements(scope: Scope): readonly Finding[] {
  const written = (use: TypeUse): string =>
    withArguments([use])
      .map(({ name, arguments: { length } }) => `${name} ${length}`)
      .join(' ')
  return scope.all.flatMap(({ definition: { name, repetition }, file }) => {
    if (repetition === undefined || repetition.first === null) return []
    const { first, of } = repetition
    if (written(first) === written(of)) return []
    const message = `The elements of \`${name}\` are of two classes, \`${first.name}\` and \`${of.name}\`.`
    return [problemIn(file, of.at, message, 'Make both alternatives of one abstract class.')]
  })
}

function upper(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function alternativeCycles(scope: Scope): readonly Finding[] {
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
      scope.dialectOf(file) === 'C'
        ? `In dialect C \`A = B.\` makes A an abstract class with one alternative; a part needs a label: \`A = <b> B.\``
        : 'Remove it from the alternatives of one of them.',
    )
  })
  if (problems.length > 0) return problems

  const depths = new Map<string, number>()
  for (const { definition } of located) {
    // Parents first: follows the chain of parents upwards, then assigns the depths.
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

/** The abstract class above a class, if any. */
function parentOf(scope: Scope, name: string): (Located & { readonly use: TypeUse }) | undefined {
  return scope.parents.get(name)?.[0]
}

/**
 * Checks that shared fields do not clash with a class's own, and that the class's own arguments determine their types.
 */
function inheritedNames(scope: Scope): readonly Finding[] {
  const problems: Finding[] = []
  const labels = new Map([...scope.classes].map(([name, { definition }]) => [name, labelsOf(definition)]))
  for (const { definition, file } of scope.classes.values()) {
    const above: Located[] = []
    for (let parent = parentOf(scope, definition.name); parent !== undefined;) {
      above.push(parent)
      parent = parentOf(scope, parent.definition.name)
    }
    for (const part of fieldsOf(definition)) {
      if (part.implicit === true) continue
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
    const shares = [definition, ...above.map((parent) => parent.definition)].some((one) => fieldsOf(one).length > 0)
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
  return new Set(fieldsOf(definition).flatMap(({ label, implicit }) => (implicit === true ? [] : [label])))
}

/**
 * Finds type parameters that grow around a cycle, as in `A(X) = <next> Option(A(List(X))).`: such a class would expand
 * to infinitely many. An edge means that one parameter is passed on as another, growing or unchanged.
 */
function expansions(scope: Scope): readonly Finding[] {
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
      ),
    ]
  })
}
