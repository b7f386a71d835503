import type { Position } from '../problem.ts'
import { entryDefinition, lexicalNames } from './built-in.ts'
import type { Lexical } from './built-in.ts'
import type { Definition, FieldPart, Part, TypeUse } from './model.ts'
import { isAbstract, problemIn } from './checking/scope.ts'
import type { Finding, Located, Scope } from './checking/scope.ts'

/** Maximum number of nodes and parts of all expanded classes. Type arguments can multiply exponentially. */
const MAX_SIZE = 200_000

/** The first position at which a list or an option is written. */
interface Use {
  readonly at: Position
  readonly file: string | null
}

/** A type with all its type arguments filled in. The graph is cyclic; `id` counts from 0. */
export type Node =
  | { readonly kind: 'lexical'; readonly id: number; readonly text: string; readonly lexical: Lexical }
  /** Inside an extern class: its syntax is known only to another program. */
  | { readonly kind: 'foreign'; readonly id: number; readonly text: string }
  | ListNode
  | OptionNode
  | ClassNode
  | ChoiceNode

export interface ListNode {
  readonly kind: 'list'
  readonly id: number
  readonly text: string
  readonly of: Node
  readonly use: Use
  /** Sorted without duplicates: a Set, or a Map, whose elements are entries with different keys. */
  readonly sorted: 'set' | 'map' | null
  /** The syntax of a repetition of dialect A; null: only its elements, like every other list. */
  readonly layout: ListLayout | null
}

/** `before [first] { open element close } after`. */
export interface ListLayout {
  readonly before: readonly Syntax[]
  /** The first element is always present, without `open` and `close`: the list is not empty. */
  readonly first: boolean
  readonly open: readonly Syntax[]
  readonly close: readonly Syntax[]
  readonly after: readonly Syntax[]
}

export interface OptionNode extends Omit<ListNode, 'kind' | 'sorted' | 'layout'> {
  readonly kind: 'option'
  /** The syntax around the value of an optional part of dialect A, `[ before value after ]`; null: nothing. */
  readonly layout: Pick<ListLayout, 'before' | 'after'> | null
}

export interface ClassNode {
  readonly kind: 'class'
  readonly id: number
  /** The type as written, shortened if long. */
  readonly text: string
  readonly name: string
  readonly located: Located
  /** Its own parts, then the shared ones of its abstract parents, nearest first. */
  readonly items: readonly Item[]
}

export interface ChoiceNode {
  readonly kind: 'choice'
  readonly id: number
  readonly text: string
  readonly name: string
  readonly located: Located
  /** All concrete classes below it; `direct`: the index of the alternative through which each is reached. */
  readonly alternatives: readonly { readonly node: ClassNode; readonly direct: number }[]
}

export type Item =
  | {
      readonly kind: 'field'
      readonly label: string
      readonly type: Node
      readonly at: Position
      readonly file: string | null
    }
  | Syntax

/** Parts without a value: literals, printing commands, the end of the text. */
export type Syntax = Exclude<Part, { kind: 'field' | 'optional' | 'inherit' }> & { readonly file: string | null }

const libraryEntry: Located = { definition: entryDefinition, file: null, dialect: 'C' }

type Bindings = ReadonlyMap<string, Node>
const noBindings: Bindings = new Map()

/**
 * Expands types on demand: `node` returns the node of a type and expands all that it needs. Names must have been
 * checked.
 */
export class Expansion {
  readonly nodes: Node[] = []
  /** Set when the expansion has become too large; it is then incomplete. */
  problem: Finding | null = null
  readonly #scope: Scope
  readonly #known = new Map<string, Node>()
  readonly #unfinished: (() => void)[] = []
  #size = 0

  constructor(scope: Scope) {
    this.#scope = scope
  }

  /** The node of a type without type parameters. */
  node(use: TypeUse, file: string | null): Node {
    const node = this.#resolve(use, file, noBindings)
    for (let finish = this.#unfinished.pop(); finish !== undefined; finish = this.#unfinished.pop()) {
      if (this.problem === null) finish()
    }
    return node
  }

  #resolve(use: TypeUse, file: string | null, bindings: Bindings): Node {
    const bound = bindings.get(use.name)
    if (bound !== undefined) return bound
    const args = use.arguments.map((argument) => this.#resolve(argument, file, bindings))
    return this.#once(
      keyOf(use.name === 'Entry' && !this.#scope.classes.has('Entry') ? 'built-in Entry' : use.name, args),
      use.at,
      file,
      () => this.#create(use, file, args),
    )
  }

  /** Returns the node of a type; calls `create` only once for each type. */
  #once(key: string, at: Position, file: string | null, create: () => Node): Node {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const node = create()
    this.#known.set(key, node)
    this.nodes.push(node)
    this.#grow(1, at, file)
    return node
  }

  #create(use: TypeUse, file: string | null, args: readonly Node[]): Node {
    const located = this.#scope.classes.get(use.name)
    if (located === undefined) return this.#builtIn(use, file, args)
    return this.#class(located, textOf(use.name, args), args)
  }

  #class(located: Located, text: string, args: readonly Node[]): Node {
    const { name } = located.definition
    const id = this.nodes.length
    const bindings = bind(located, args)
    if (isChoice(located.definition)) {
      const alternatives: { node: ClassNode; direct: number }[] = []
      this.#unfinished.push(() => this.#flatten(located, bindings, alternatives))
      return { kind: 'choice', id, text, name, located, alternatives }
    }
    const { repetition } = located.definition
    if (repetition !== undefined && !this.#scope.isAlternative(name)) return this.#repetition(located, text, bindings)
    const items: Item[] = []
    this.#unfinished.push(() => this.#fill(located, bindings, items))
    return { kind: 'class', id, text, name, located, items }
  }

  /** The list of a repetition. Its element is resolved later, because it may be the list itself. */
  #repetition({ definition, file }: Located, text: string, bindings: Bindings): ListNode {
    const { repetition, at, parts } = definition
    const { before, first, open, of, close, after } = repetition!
    const node: { -readonly [key in keyof ListNode]?: ListNode[key] } = {
      kind: 'list',
      id: this.nodes.length,
      text,
      use: { at, file },
      sorted: null,
      layout: {
        before: syntax(before, file),
        first: first !== null,
        open: syntax(open, file),
        close: syntax(close, file),
        after: syntax([...after, ...parts], file),
      },
    }
    this.#grow(before.length + open.length + close.length + after.length, at, file)
    this.#unfinished.push(() => (node.of = this.#resolve(of, file, bindings)))
    return node as ListNode
  }

  #optional({ field, before, after, at }: Part & { kind: 'optional' }, file: string | null, bindings: Bindings): Node {
    const of = this.#resolve(field.type, file, bindings)
    this.#grow(before.length + after.length, at, file)
    return this.#once(`[${this.nodes.length}]`, at, file, () => ({
      kind: 'option',
      id: this.nodes.length,
      text: textOf(`[${of.text}]`, []),
      of,
      use: { at, file },
      layout: { before: syntax(before, file), after: syntax(after, file) },
    }))
  }

  #builtIn({ name, at }: TypeUse, file: string | null, args: readonly Node[]): Node {
    const text = textOf(name, args)
    const lexical = lexicalNames.get(name)
    if (lexical !== undefined) return { kind: 'lexical', id: this.nodes.length, text, lexical }
    if (name === 'Entry') return this.#class(libraryEntry, text, args)
    if (name === 'Map') {
      // The library's class, even if the dictionary has another class of that name.
      const entry = textOf('Entry', args)
      const of = this.#once(keyOf('built-in Entry', args), at, file, () => this.#class(libraryEntry, entry, args))
      return { kind: 'list', id: this.nodes.length, text, of, use: { at, file }, sorted: 'map', layout: null }
    }
    // Anything else is a class of Java or C++, which dialect A allows.
    const library = name === 'List' || name === 'Set' || name === 'Option'
    if (!library || args.length !== 1) return { kind: 'foreign', id: this.nodes.length, text }
    const node = { id: this.nodes.length, text, of: args[0]!, use: { at, file }, layout: null }
    if (name === 'Option') return { kind: 'option', ...node }
    return { kind: 'list', ...node, sorted: name === 'Set' ? 'set' : null }
  }

  /** The concrete classes below an abstract one, each once. */
  #flatten(top: Located, bindings: Bindings, into: { node: ClassNode; direct: number }[]): void {
    const seen = new Set<string>()
    const open: { located: Located; bindings: Bindings; direct: number | null }[] = [
      { located: top, bindings, direct: null },
    ]
    for (let one = open.pop(); one !== undefined && this.problem === null; one = open.pop()) {
      const { definition, file } = one.located
      if (!isChoice(definition)) {
        const args = definition.parameters.map(({ name }) => one.bindings.get(name)!)
        const use = { name: definition.name, at: definition.at, arguments: [] }
        const node = this.#once(keyOf(definition.name, args), definition.at, file, () => this.#create(use, file, args))
        into.push({ node: node as ClassNode, direct: one.direct! })
        continue
      }
      const inner: typeof open = []
      definition.alternatives.forEach((use, i) => {
        const located = one.bindings.has(use.name) ? undefined : this.#scope.classes.get(use.name)
        // Not a class of this dictionary: its values could not be identified.
        if (located === undefined) return
        this.#grow(1, use.at, file)
        const args = use.arguments.map((argument) => this.#resolve(argument, file, one.bindings))
        const key = keyOf(use.name, args)
        if (seen.has(key)) return
        seen.add(key)
        inner.push({ located, bindings: bind(located, args), direct: one.direct ?? i })
      })
      for (const next of inner.reverse()) open.push(next)
    }
  }

  #fill(located: Located, bindings: Bindings, into: Item[]): void {
    const { flag, name, at } = located.definition
    if (flag === 'extern') {
      const type = this.#once(`extern ${name}`, at, located.file, () => ({
        kind: 'foreign',
        id: this.nodes.length,
        text: name,
      }))
      into.push({ kind: 'field', label: '', type, at, file: located.file })
      return
    }
    const fields: { readonly part: FieldPart; readonly item: { label: string } }[] = []
    if (located.definition.repetition !== undefined) {
      const type = this.#once(`elements ${this.nodes.length}`, at, located.file, () =>
        this.#repetition(located, name, bindings),
      )
      const item = { kind: 'field' as const, label: 'elements', type, at, file: located.file }
      into.push(item)
      fields.push({ part: { kind: 'field', label: item.label, at, type: { name, at, arguments: [] } }, item })
    }
    const add = (part: Exclude<Part, { kind: 'inherit' }>, file: string | null, inner: Bindings): void => {
      const { at: place } = part
      this.#grow(1, place, file)
      if (part.kind !== 'field' && part.kind !== 'optional') {
        into.push({ ...part, file })
        return
      }
      const field = part.kind === 'field' ? part : part.field
      const type = part.kind === 'field' ? this.#resolve(part.type, file, inner) : this.#optional(part, file, inner)
      const item = { kind: 'field' as const, label: field.label, type, at: field.at, file }
      into.push(item)
      fields.push({ part: field, item })
    }
    const above = new Map(this.#above(located, bindings).map((one) => [one.definition.name, one]))
    const share = (name: string): void => {
      const one = above.get(name)
      above.delete(name)
      for (const part of one?.definition.parts ?? []) {
        if (this.problem === null && part.kind !== 'inherit') add(part, one!.file, one!.bindings)
      }
    }
    if (located.definition.repetition === undefined) {
      for (const part of located.definition.parts) {
        if (this.problem !== null) return
        if (part.kind === 'inherit') part.types.forEach((use) => share(use.name))
        else add(part, located.file, bindings)
      }
    }
    for (const name of above.keys()) share(name)
    numberLabels(fields)
  }

  /** The abstract classes above a class, nearest first, each once, with the known values of their parameters. */
  #above(located: Located, bindings: Bindings): readonly (Located & { readonly bindings: Bindings })[] {
    const found = [{ ...located, bindings }]
    const seen = new Set<string>()
    for (const { definition, bindings: inner } of found) {
      for (const parent of this.#scope.parents.get(definition.name) ?? []) {
        if (seen.has(parent.definition.name)) continue
        seen.add(parent.definition.name)
        // The parent's parameters as far as the class's own arguments determine them, which the checks ensure.
        const outer = new Map<string, Node>()
        parent.use.arguments.forEach(({ name }, i) => {
          const node = inner.get(definition.parameters[i]!.name)
          if (node !== undefined && parent.definition.parameters.some((parameter) => parameter.name === name)) {
            outer.set(name, node)
          }
        })
        this.#grow(1, parent.use.at, parent.file)
        if (this.problem !== null) return []
        found.push({ ...parent, bindings: outer })
      }
    }
    return found.slice(1)
  }

  #grow(by: number, at: Position, file: string | null): void {
    this.#size += by
    if (this.#size > MAX_SIZE && this.problem === null) {
      this.problem = problemIn(
        file,
        at,
        'With all type arguments and shared parts filled in, the dictionary is too large.',
        'Use fewer type parameters.',
        { code: 'too-large' },
      )
    }
  }
}

function bind({ definition }: Located, args: readonly Node[]): Bindings {
  return new Map(definition.parameters.map(({ name }, i) => [name, args[i]!]))
}

function syntax(parts: readonly Part[], file: string | null): readonly Syntax[] {
  return parts.flatMap((part) =>
    part.kind === 'field' || part.kind === 'optional' || part.kind === 'inherit' ? [] : [{ ...part, file }],
  )
}

/** Labels with another meaning in JSON objects. */
const reserved: readonly string[] = ['$', '__proto__']

/**
 * Numbers the labels of a class's unlabelled parts: `b`, `b2`, `b3`. Written labels take precedence unless reserved.
 */
function numberLabels(fields: readonly { readonly part: FieldPart; readonly item: { label: string } }[]): void {
  const free = ({ label, implicit }: FieldPart): boolean => implicit === true || reserved.includes(label)
  const taken = new Set([...reserved, ...fields.flatMap(({ part }) => (free(part) ? [] : [part.label]))])
  const next = new Map<string, number>()
  for (const { part, item } of fields) {
    if (!free(part)) continue
    while (taken.has(item.label)) {
      const number = next.get(part.label) ?? 2
      next.set(part.label, number + 1)
      item.label = `${part.label}${number}`
    }
    taken.add(item.label)
  }
}

/** True if a class is abstract; an extern class has no alternatives that could be distinguished here. */
function isChoice(definition: Definition): boolean {
  return isAbstract(definition) && definition.flag !== 'extern'
}

function keyOf(name: string, args: readonly Node[]): string {
  return `${name} ${args.map(({ id }) => id).join(' ')}`
}

function textOf(name: string, args: readonly Node[]): string {
  const whole = args.length === 0 ? name : `${name}(${args.map(({ text }) => text).join(', ')})`
  return whole.length > 80 ? `${whole.slice(0, 77)}...` : whole
}
