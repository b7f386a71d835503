import { builtInArity } from '../built-in.ts'
import { includedPath } from '../included-path.ts'
import type { Definition, Dictionary } from '../model.ts'
import { alternativeCycles, alternatives, mixedElements } from './alternatives.ts'
import { expansions } from './expansions.ts'
import { fieldsOf, finding, isAbstract, parentOf, problemIn } from './scope.ts'
import type { Finding, Located, Scope } from './scope.ts'
import { unboundNames } from './type-uses.ts'

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
    return [finding('remark', located.file, at, message, 'Choose another name.', { code: 'name-taken' })]
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
      problems.push(finding('remark', file, at, message, 'Choose another label.', { code: 'name-taken' }))
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
          { code: 'name-twice' },
        ),
      )
    }
    parameters.add(name)
  }
  return problems
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
          { code: 'label-twice' },
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
          { code: 'argument-count' },
        ),
      )
    }
  }
  return problems
}

function labelsOf(definition: Definition): ReadonlySet<string> {
  return new Set(fieldsOf(definition).flatMap(({ label, implicit }) => (implicit === true ? [] : [label])))
}
