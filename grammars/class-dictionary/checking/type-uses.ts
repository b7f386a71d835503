import { builtInArity, builtInNames, dialectsWith, nameInC } from '../built-in.ts'
import type { Dictionary, TypeUse } from '../model.ts'
import { finding, problemIn, typesOf, withArguments } from './scope.ts'
import type { Finding, Scope } from './scope.ts'
import { nearest } from './suggest.ts'

/** Maximum number of spelling suggestions, because each compares with every class. */
const MAX_SUGGESTIONS = 50

/** Uses of names that are not defined, or with another number of type arguments. */
export function unboundNames(dictionary: Dictionary, scope: Scope): readonly Finding[] {
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
          finding('remark', file, use.at, message, 'Its values can be read and written by its program only.', {
            code: 'class-unknown',
          }),
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
  return problemIn(file, at, `\`${name}\` takes ${wanted}, but here it has ${use.arguments.length}.`, hint, {
    code: 'argument-count',
  })
}
