import type { Position, Problem } from '../../problem.ts'
import type { Definition, Dialect, Dictionary, FieldPart, Part, TypeUse } from '../model.ts'

/** A class and the included file that contains it; null: the file that was read. */
export interface Located {
  readonly definition: Definition
  readonly file: string | null
  /** The dialect of that file. */
  readonly dialect: Dialect
}

/** An abstract class that lists a class as an alternative, and how. */
interface Parent extends Located {
  readonly use: TypeUse
}

/** All classes of a dictionary and of its includes, by name. */
export interface Scope {
  /** In the order of the text, main file first; may contain a name twice if the dictionary does. */
  readonly all: readonly Located[]
  /** The first class of each name. */
  readonly classes: ReadonlyMap<string, Located>
  /** The abstract classes (not interfaces) of which a class is an alternative. More than one is a problem. */
  readonly parents: ReadonlyMap<string, readonly Parent[]>
  /** Is a class an alternative of any other, including interfaces? */
  isAlternative(name: string): boolean
  /** The dialect of an included file, or of the file that was read. */
  dialectOf(file: string | null): Dialect
}

export function scopeOf(dictionary: Dictionary): Scope {
  const all = [
    ...dictionary.definitions.map((definition) => ({ definition, file: null, dialect: dictionary.dialect })),
    ...dictionary.included.flatMap(({ name, dictionary: inner }) =>
      inner.definitions.map((definition) => ({ definition, file: name, dialect: inner.dialect })),
    ),
  ]
  const classes = new Map<string, Located>()
  for (const located of all) {
    if (!classes.has(located.definition.name)) classes.set(located.definition.name, located)
  }
  const parents = new Map<string, Parent[]>()
  const alternatives = new Set<string>()
  for (const located of classes.values()) {
    const { parameters } = located.definition
    for (const { name } of located.definition.alternatives) alternatives.add(name)
    if (located.definition.isInterface) continue
    for (const use of located.definition.alternatives) {
      if (!classes.has(use.name) || parameters.some(({ name }) => name === use.name)) continue
      const known = parents.get(use.name)
      if (known === undefined) parents.set(use.name, [{ ...located, use }])
      else known.push({ ...located, use })
    }
  }
  const dialects = new Map(dictionary.included.map((file) => [file.name, file.dictionary.dialect]))
  return {
    all,
    classes,
    parents,
    isAlternative: (name) => alternatives.has(name),
    dialectOf: (file) => (file === null ? dictionary.dialect : (dialects.get(file) ?? dictionary.dialect)),
  }
}

export function isAbstract(definition: Definition): boolean {
  return definition.alternatives.length > 0 || definition.isInterface
}

/** All type uses, including nested ones, outermost first. */
export function withArguments(uses: readonly TypeUse[]): readonly TypeUse[] {
  const found = [...uses]
  for (const use of found) for (const argument of use.arguments) found.push(argument)
  return found
}

/** The fields of a class, including optional ones. */
export function fieldsOf({ parts }: Pick<Definition, 'parts'>): readonly FieldPart[] {
  return parts.flatMap((part) => (part.kind === 'field' ? [part] : part.kind === 'optional' ? [part.field] : []))
}

/** All parts of a class except inherited ones, including the parts inside optional parts and repetitions. */
export function writtenIn({ parts, repetition }: Definition): readonly Part[] {
  const own = parts.flatMap((part): readonly Part[] =>
    part.kind === 'optional' ? [...part.before, part.field, ...part.after] : [part],
  )
  if (repetition === undefined) return own
  return [...repetition.before, ...repetition.open, ...repetition.close, ...repetition.after, ...own]
}

/** The types of a class's own alternatives, elements and fields, without nested ones. */
export function typesOf(definition: Definition): readonly TypeUse[] {
  const { alternatives, repetition } = definition
  const elements = repetition === undefined ? [] : [repetition.first ?? repetition.of, repetition.of]
  return [...alternatives, ...elements, ...fieldsOf(definition).map(({ type }) => type)]
}

/**
 * An error makes a dictionary unusable. A doubt leaves it usable, but some values are ambiguous or cannot be read back;
 * code that relies on values refuses it, too. A remark is neither.
 */
export type Severity = 'error' | 'doubt' | 'remark'

export interface Finding extends Problem {
  readonly severity: Severity
}

/** An error. */
export function problemIn(
  file: string | null,
  at: Position,
  message: string,
  hint: string | null,
  kind: Pick<Problem, 'code' | 'remedy'>,
): Finding {
  return finding('error', file, at, message, hint, kind)
}

export function finding(
  severity: Severity,
  file: string | null,
  at: Position,
  message: string,
  hint: string | null,
  kind: Pick<Problem, 'code' | 'remedy'>,
): Finding {
  return { severity, at, ...kind, message, ...(hint === null ? {} : { hint }), ...(file === null ? {} : { file }) }
}

/** The abstract class above a class, if any. */
export function parentOf(scope: Scope, name: string): (Located & { readonly use: TypeUse }) | undefined {
  return scope.parents.get(name)?.[0]
}
