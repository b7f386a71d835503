import { LONGEST, readWithNotes } from '../challenges/read.ts'
import type { Notes } from '../challenges/read.ts'
import type { Sections } from '../challenges/sections.ts'
import { readDictionary } from '../class-dictionary/index.ts'
import type { Dictionary } from '../class-dictionary/index.ts'
import type { Expression, Loop, Scope, Type, TypeName } from '../formulas/index.ts'
import { addDictionary, classKey, fieldKeys } from './dictionary-things.ts'
import { Ledger } from './occurrences.ts'
import type { Things } from './occurrences.ts'
import { nameBehind } from './trivia.ts'

/** A part of a formula as the checker saw it: the names that it may use, and its type. */
interface Seen {
  readonly scope: Scope
  readonly type: Type
}

/**
 * The named things of a challenge. Names in formulas are resolved by the checker of the language, wherever in the file a formula is,
 * so that sections which this module does not know are indexed, too.
 */
export function challengeThings(text: string): Things {
  if (text.length > LONGEST) return { isFine: false, things: [] }
  const seen = new Map<Expression, Seen[]>()
  const notes: Notes = {
    isNew: true,
    watch(tree, scope, type) {
      const known = seen.get(tree)
      if (known === undefined) seen.set(tree, [{ scope, type }])
      else known.push({ scope, type })
    },
  }
  const { challenge } = readWithNotes(text, notes)
  const { sections, parsed } = notes
  if (sections === undefined || parsed === undefined) return { isFine: false, things: [] }
  const dictionary = sections.dictionary && readBlock(sections.dictionary)
  const index = new ChallengeIndex(parsed.text, seen, dictionary, new Set(sections.settings.map(({ name }) => name)))
  if (dictionary !== null) addDictionary(index.ledger, dictionary)
  index.addSections(sections)
  for (const [tree, as] of seen) index.addPart(tree, as)
  index.endVariables()
  const things = index.ledger.things(({ from, to }, name) => parsed.text.slice(from, to) === name)
  if (parsed.text === text) return { isFine: challenge !== null, things, needed }
  // The file was read on behind mistakes: names are where they were before.
  const moved = things.map((thing) => ({
    ...thing,
    occurrences: thing.occurrences
      .map((one) => ({ ...one, from: parsed.original(one.from), to: parsed.original(one.from) + thing.name.length }))
      .filter(({ from, to }) => text.slice(from, to) === thing.name),
  }))
  return { isFine: false, things: moved.filter(({ occurrences }) => occurrences.length > 0), needed }
}

const needed: ReadonlySet<string> = new Set(['Predicate', 'Instance', 'Solution'])

function readBlock({ at, source }: { readonly at: number; readonly source: string }): Dictionary | null {
  return readDictionary(source, { at: { line: 1, column: 1, offset: at }, wantsLabels: true }).dictionary
}

class ChallengeIndex {
  readonly ledger = new Ledger()
  readonly #text: string
  readonly #seen: ReadonlyMap<Expression, readonly Seen[]>
  readonly #dictionary: Dictionary | null
  readonly #settings: ReadonlySet<string>
  readonly #classes: ReadonlySet<string>
  /** Slots that a place of the file defines; the other ones are those of names that the language gives. */
  readonly #defined = new Set<number>()
  readonly #used = new Map<number, { readonly name: string; readonly type: Type }>()

  constructor(
    text: string,
    seen: ReadonlyMap<Expression, readonly Seen[]>,
    dictionary: Dictionary | null,
    settings: ReadonlySet<string>,
  ) {
    this.#text = text
    this.#seen = seen
    this.#dictionary = dictionary
    this.#settings = settings
    this.#classes = new Set(dictionary?.definitions.map(({ name }) => name))
  }

  addSections(sections: Sections): void {
    for (const { at, name } of sections.settings) this.#setting(name, at, true)
    for (const { at, name, parameter, demands } of sections.leagues) {
      this.#league(name, at, true)
      if (parameter !== null) this.#bind(parameter.name, parameter.at, demands)
    }
    for (const { className, label } of sections.sets) {
      this.#class(className.name, className.at)
      this.#field(className.name, label.name, label.at)
    }
    for (const { definition } of sections.definitions) {
      this.ledger.add(functionKey(definition.name), 'function', definition.name, definition.at, true)
      for (const { name, at } of definition.parameters) this.#bind(name, at, definition.body)
    }
    for (const { fields } of sections.references) {
      for (const { at, name } of fields) this.#field('Solution', name, at)
    }
    for (const example of sections.examples) {
      for (const { at, name } of example.config) this.#setting(name, at, false)
      for (const { at, name } of example.leagues) this.#league(name, at, false)
    }
    this.#walk(sections)
  }

  /** Adds a part of a formula. */
  addPart(tree: Expression, as: readonly Seen[]): void {
    if (tree.kind === 'name') {
      for (const { scope, type } of as) {
        const slot = scope.get(tree.name)?.slot
        if (slot !== undefined) this.#variable(slot, tree.name, tree.at, false, type)
      }
    } else if (tree.kind === 'field') {
      for (const { type } of this.#seen.get(tree.of) ?? []) this.#fieldOf(type, tree.label, tree.at)
    } else if (tree.kind === 'call') {
      // A call of a class makes an object of it.
      if (this.#classes.has(tree.name)) this.#class(tree.name, tree.at)
      else this.ledger.add(functionKey(tree.name), 'function', tree.name, tree.at, false)
    } else if (tree.kind === 'gather') {
      for (const loop of tree.loops) this.#loop(loop, [tree.body, tree.loops.map(({ filter }) => filter)])
      if (tree.start === null) return
      this.#bind(tree.start.name, tree.start.at, tree.body)
      if (tree.start.type !== null) this.#type(tree.start.type)
    } else if (tree.kind === 'let') this.#bind(tree.name, tree.at, tree.body)
    else if (tree.kind === 'match') {
      for (const { at, alternative, variable, body } of tree.cases) {
        if (alternative !== null) this.#class(alternative, at)
        if (variable !== null) this.#bindBehind(at + (alternative ?? 'else').length, variable, body)
      }
    }
  }

  /** Joins the occurrences of names that the language gives, such as `instance`, and tells their classes. */
  endVariables(): void {
    for (const [slot, { name, type }] of this.#used) {
      if (this.#defined.has(slot)) continue
      this.ledger.join(`value ${name}`, variableKey(slot))
      const className = classOf(type)
      if (className !== null) this.ledger.describe(`value ${name}`, 'variable', name, classKey(className))
    }
  }

  /** Looks through trees whose kinds need not be known: for loops, types, rules and weights. */
  #walk(part: unknown): void {
    if (typeof part !== 'object' || part === null || this.#seen.has(part as Expression)) return
    if (isLoopContainer(part)) {
      const { loop, ...rest } = part
      this.#loop(loop, [rest, loop.filter])
    }
    if ('steps' in part) this.#steps(part)
    if (isTypeName(part)) this.#type(part)
    else if ('className' in part && typeof part.className === 'string' && 'at' in part && typeof part.at === 'number') {
      this.#class(part.className, part.at)
      const label = 'label' in part ? (part.label as { at: number; name: string } | null) : null
      if (label !== null) this.#field(part.className, label.name, label.at)
    } else if ('weight' in part && 'name' in part && 'at' in part) this.#class(String(part.name), Number(part.at))
    for (const one of Object.values(part)) this.#walk(one)
  }

  /** A list of steps, each of which names a value for those behind it, and parameters for all of them. */
  #steps(part: object): void {
    const values: readonly unknown[] = Object.values(part)
    const open = values.flatMap((one): readonly unknown[] => (Array.isArray(one) ? one : []))
    for (const one of open) if (isNamed(one)) this.#bind(one.name, one.at, part)
  }

  #loop({ at, variable, index }: Loop, within: unknown): void {
    const behind = this.#bindBehind(at + 'for'.length, variable, within)
    const word = behind === null || index === null ? null : nameBehind(this.#text, behind)
    if (word?.name === 'at' && index !== null) this.#bindBehind(word.to, index, within)
  }

  /** A name that is bound behind an offset; returns the offset behind it. */
  #bindBehind(offset: number, name: string, within: unknown): number | null {
    const found = nameBehind(this.#text, offset)
    if (found?.name !== name) return null
    this.#bind(name, found.from, within)
    return found.to
  }

  /** A place that binds a name in the formulas of `within`. */
  #bind(name: string, at: number, within: unknown): void {
    const slots = this.#slotsOf(name, within)
    for (const slot of slots) {
      this.#defined.add(slot)
      this.#variable(slot, name, at, true, null)
      this.ledger.join(variableKey(slots[0]!), variableKey(slot))
    }
    if (slots.length === 0) this.ledger.add(`unused ${at}`, 'variable', name, at, true)
  }

  #slotsOf(name: string, within: unknown): readonly number[] {
    const slots = new Set<number>()
    const open: unknown[] = [within]
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      if (typeof part !== 'object' || part === null) continue
      const seen = this.#seen.get(part as Expression)
      for (const { scope } of seen ?? []) {
        const slot = scope.get(name)?.slot
        if (slot !== undefined) slots.add(slot)
      }
      const values: readonly unknown[] = Object.values(part)
      if (seen === undefined) open.push(...values.filter((one) => one !== undefined))
    }
    return [...slots]
  }

  #variable(slot: number, name: string, at: number, isDefinition: boolean, type: Type | null): void {
    this.ledger.add(variableKey(slot), 'variable', name, at, isDefinition)
    if (type !== null && !this.#used.has(slot)) this.#used.set(slot, { name, type })
  }

  #fieldOf(type: Type, label: string, at: number): void {
    const name = classOf(type)
    if (name === 'config' && this.#settings.has(label)) this.#setting(label, at, false)
    else if (name !== null) this.#field(name, label, at)
  }

  #field(className: string, label: string, at: number): void {
    const keys = this.#dictionary === null ? [] : fieldKeys(this.#dictionary, className, label)
    for (const key of keys) {
      this.ledger.add(key, 'field', label, at, false)
      this.ledger.join(keys[0]!, key)
    }
  }

  #type(type: TypeName): void {
    if (type.kind === 'named') this.#class(type.name, type.at)
    else this.#type(type.of)
  }

  #class(name: string, at: number): void {
    this.ledger.add(classKey(name), 'class', name, at, false)
  }

  #setting(name: string, at: number, isDefinition: boolean): void {
    this.ledger.add(`setting ${name}`, 'setting', name, at, isDefinition)
  }

  #league(name: string, at: number, isDefinition: boolean): void {
    this.ledger.add(`league ${name}`, 'league', name, at, isDefinition)
  }
}

const functionKey = (name: string): string => `function ${name}`
const variableKey = (slot: number): string => `variable ${slot}`

/** The name of a class, without the words that tell a part of it or its arguments. */
function classOf(type: Type): string | null {
  if (type.kind !== 'class' && type.kind !== 'choice') return null
  return type.name.replace(/ so far$/, '').replace(/\(.*$/, '')
}

function isLoopContainer(part: object): part is { readonly loop: Loop } & Record<string, unknown> {
  if (!('loop' in part) || typeof part.loop !== 'object' || part.loop === null) return false
  return 'variable' in part.loop && 'source' in part.loop
}

function isNamed(part: unknown): part is { readonly at: number; readonly name: string } {
  if (typeof part !== 'object' || part === null || !('at' in part) || !('name' in part)) return false
  return typeof part.at === 'number' && typeof part.name === 'string'
}

function isTypeName(part: object): part is TypeName {
  if (!('kind' in part)) return false
  return part.kind === 'named' && 'name' in part && 'at' in part
}
