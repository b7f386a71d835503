import { cycles } from '../graph.ts'
import { labelFor } from '../label.ts'
import type { TypeUse } from '../model.ts'
import { finding, problemIn, withArguments } from './scope.ts'
import type { Finding, Scope } from './scope.ts'

/** Maximum nesting of abstract classes. */
const MAX_ABSTRACT_NESTING = 100
/** Alternatives that are not classes, or of several abstract classes. */
export function alternatives(scope: Scope): readonly Finding[] {
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
        } else problems.push(finding('doubt', file, at, message, one, { code: 'alternative-unknown' }))
      } else if (seen.has(name)) {
        problems.push(
          problemIn(file, at, `\`${name}\` is an alternative of \`${definition.name}\` twice.`, 'Remove one of them.', {
            code: 'alternative-twice',
          }),
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
          { code: 'two-parents' },
        ),
      )
    }
  }
  return problems
}

/** Finds repetitions whose first element has another class than the others. */
export function mixedElements(scope: Scope): readonly Finding[] {
  const written = (use: TypeUse): string =>
    withArguments([use])
      .map(({ name, arguments: { length } }) => `${name} ${length}`)
      .join(' ')
  return scope.all.flatMap(({ definition: { name, repetition }, file }) => {
    if (repetition === undefined || repetition.first === null) return []
    const { first, of } = repetition
    if (written(first) === written(of)) return []
    const message = `The elements of \`${name}\` are of two classes, \`${first.name}\` and \`${of.name}\`.`
    return [
      problemIn(file, of.at, message, 'Make both alternatives of one abstract class.', { code: 'mixed-elements' }),
    ]
  })
}

function upper(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Abstract classes that are alternatives of themselves, or nested too deeply. */
export function alternativeCycles(scope: Scope): readonly Finding[] {
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
      { code: 'alternative-of-itself' },
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
          { code: 'too-deep' },
        ),
      ]
}
