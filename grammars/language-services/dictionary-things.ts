import { checkDictionary, readDictionary } from '../class-dictionary/index.ts'
import type { Dictionary } from '../class-dictionary/index.ts'
import type { Definition, FieldPart, NameDef, SyntaxPart, TypeUse } from '../class-dictionary/model.ts'
import { Ledger } from './occurrences.ts'
import type { Things } from './occurrences.ts'

/** Reads a file: null stands for the text itself, a name for an included file. null: it does not exist. */
export type ReadFile = (file: string | null) => string | null

/** The classes, fields and type parameters of a class dictionary and of the files that it includes. */
export function dictionaryThings(read: ReadFile): Things {
  const text = read(null) ?? ''
  const { dictionary } = readDictionary(text, { resolve: read })
  if (dictionary === null) return { isFine: false, things: [] }
  const ledger = new Ledger()
  addDictionary(ledger, dictionary)
  const things = ledger.things(({ from, to, file }, name) => {
    return (file === undefined ? text : read(file))?.slice(from, to) === name
  })
  return { isFine: checkDictionary(dictionary).length === 0, things }
}

/** Adds the things of a dictionary and of its included files. */
export function addDictionary(ledger: Ledger, dictionary: Dictionary): void {
  addFile(ledger, dictionary, undefined)
  for (const { name, dictionary: included } of dictionary.included) addFile(ledger, included, name)
}

export const classKey = (name: string): string => `class ${name}`
const fieldKey = (className: string, label: string): string => `field ${className}.${label}`

function addFile(
  ledger: Ledger,
  { definitions, using, terminalSets = [] }: Dictionary,
  file: string | undefined,
): void {
  const adder = new Adder(ledger, file)
  const shared = adder.parameters('', using)
  for (const definition of definitions) adder.definition(definition, shared)
  for (const use of terminalSets) adder.use(use, new Map())
}

/** Type parameters in scope, with their keys. */
type Parameters = ReadonlyMap<string, string>

class Adder {
  readonly #ledger: Ledger
  readonly #file: string | undefined

  constructor(ledger: Ledger, file: string | undefined) {
    this.#ledger = ledger
    this.#file = file
  }

  definition(definition: Definition, shared: Parameters): void {
    const { name, at, parameters, alternatives, parts, extends: supers = [], repetition } = definition
    this.#ledger.add(classKey(name), 'class', name, at.offset, true, this.#file)
    const known = new Map([...shared, ...this.parameters(name, parameters)])
    for (const { bound } of parameters) if (bound !== null) this.use(bound, known)
    for (const use of [...alternatives, ...definition.implements, ...supers]) this.use(use, known)
    for (const part of parts) {
      if (part.kind === 'field') this.#field(name, part, known)
      else if (part.kind === 'optional') this.#field(name, part.field, known)
      else if (part.kind === 'inherit') for (const use of part.types) this.use(use, known)
    }
    if (repetition === undefined) return
    if (repetition.first !== null) this.use(repetition.first, known)
    this.use(repetition.of, known)
  }

  parameters(owner: string, names: readonly NameDef[]): Parameters {
    const keys = new Map<string, string>()
    for (const { name, at } of names) {
      const key = `parameter ${this.#file ?? ''}:${owner}(${name})`
      keys.set(name, key)
      this.#ledger.add(key, 'type parameter', name, at.offset, true, this.#file)
    }
    return keys
  }

  use({ name, at, arguments: inner }: TypeUse, known: Parameters): void {
    const parameter = known.get(name)
    if (parameter === undefined) this.#ledger.add(classKey(name), 'class', name, at.offset, false, this.#file)
    else this.#ledger.add(parameter, 'type parameter', name, at.offset, false, this.#file)
    for (const one of inner) this.use(one, known)
  }

  #field(owner: string, { label, at, type, implicit }: FieldPart, known: Parameters): void {
    if (implicit !== true) this.#ledger.add(fieldKey(owner, label), 'field', label, at.offset, true, this.#file)
    this.use(type, known)
  }
}

/** The keys of the definitions of a field of a class, also where it is shared by alternatives or is declared by each of them. */
export function fieldKeys(dictionary: Dictionary, className: string, label: string): readonly string[] {
  const all = [dictionary, ...dictionary.included.map(({ dictionary: included }) => included)]
  const definitions = new Map(all.flatMap((one) => one.definitions.map((each) => [each.name, each] as const)))
  const owns = (definition: Definition | undefined): boolean =>
    definition?.parts.some((part) => labelOf(part) === label) === true
  const above = (name: string, seen: Set<string>): string[] => {
    if (seen.has(name)) return []
    seen.add(name)
    if (owns(definitions.get(name))) return [name]
    return [...definitions.values()]
      .filter(({ alternatives }) => alternatives.some((one) => one.name === name))
      .flatMap((one) => above(one.name, seen))
  }
  const below = (name: string, seen: Set<string>): string[] => {
    if (seen.has(name)) return []
    seen.add(name)
    if (owns(definitions.get(name))) return [name]
    return definitions.get(name)?.alternatives.flatMap((one) => below(one.name, seen)) ?? []
  }
  const owners = above(className, new Set())
  const found = owners.length > 0 ? owners : below(className, new Set())
  return found.map((name) => fieldKey(name, label))
}

function labelOf(part: Definition['parts'][number] | SyntaxPart): string | null {
  return part.kind === 'field' ? part.label : part.kind === 'optional' ? part.field.label : null
}
