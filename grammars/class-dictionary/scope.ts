import type { Position, Problem } from '../problem.ts'
import type { Definition, Dictionary, TypeUse } from './model.ts'

/** A class and the included file that it is in; null: the file that was read. */
export interface Located {
  readonly definition: Definition
  readonly file: string | null
}

/** An abstract class that lists a class, and how it lists it. */
interface Parent extends Located {
  readonly use: TypeUse
}

/** All classes of a dictionary and of its includes, by name. */
export interface Scope {
  /** In the order of the text, main file first; twice the same name where the dictionary says so. */
  readonly all: readonly Located[]
  /** The first of each name. */
  readonly classes: ReadonlyMap<string, Located>
  /** The abstract classes (not interfaces) of which a class is an alternative. More than one is a problem. */
  readonly parents: ReadonlyMap<string, readonly Parent[]>
}

export function scopeOf(dictionary: Dictionary): Scope {
  const all = [
    ...dictionary.definitions.map((definition) => ({ definition, file: null })),
    ...dictionary.included.flatMap(({ name, dictionary: inner }) =>
      inner.definitions.map((definition) => ({ definition, file: name })),
    ),
  ]
  const classes = new Map<string, Located>()
  for (const located of all) {
    if (!classes.has(located.definition.name)) classes.set(located.definition.name, located)
  }
  const parents = new Map<string, Parent[]>()
  for (const located of classes.values()) {
    if (located.definition.isInterface) continue
    for (const use of located.definition.alternatives) {
      const known = parents.get(use.name)
      if (known === undefined) parents.set(use.name, [{ ...located, use }])
      else known.push({ ...located, use })
    }
  }
  return { all, classes, parents }
}

export function isAbstract(definition: Definition): boolean {
  return definition.alternatives.length > 0 || definition.isInterface
}

/** Every type use inside others, outermost first. */
export function withArguments(uses: readonly TypeUse[]): readonly TypeUse[] {
  const found = [...uses]
  for (const use of found) found.push(...use.arguments)
  return found
}

/** The types that a class itself names as alternatives and fields, outermost ones only. */
export function typesOf(definition: Definition): readonly TypeUse[] {
  return [...definition.alternatives, ...definition.parts.flatMap((part) => (part.kind === 'field' ? [part.type] : []))]
}

export function problemIn(file: string | null, at: Position, message: string, hint: string | null): Problem {
  return { at, message, ...(hint === null ? {} : { hint }), ...(file === null ? {} : { file }) }
}
