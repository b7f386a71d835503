import type { Position, Problem } from '../problem.ts'
import { lexicalNames } from './built-in.ts'
import type { Lexical } from './built-in.ts'
import type { Part, TypeUse } from './model.ts'
import { isAbstract, problemIn } from './scope.ts'
import type { Located, Scope } from './scope.ts'

/** Nodes and parts of all expanded classes together. Type arguments can multiply without end in sight. */
const MAX_SIZE = 200_000

/** Where a list or an option is first written. */
interface Use {
  readonly at: Position
  readonly file: string | null
}

/** A type with all its type arguments filled in. The graph is cyclic; `id` counts from 0. */
export type Node =
  | { readonly kind: 'lexical'; readonly id: number; readonly text: string; readonly lexical: Lexical }
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
}

export interface OptionNode extends Omit<ListNode, 'kind'> {
  readonly kind: 'option'
}

export interface ClassNode {
  readonly kind: 'class'
  readonly id: number
  /** The type as it is written, shortened where it is long. */
  readonly text: string
  readonly name: string
  readonly located: Located
  /** Its own parts, then the shared ones of its abstract parents from the nearest outwards. */
  readonly items: readonly Item[]
}

export interface ChoiceNode {
  readonly kind: 'choice'
  readonly id: number
  readonly text: string
  readonly name: string
  readonly located: Located
  /** All concrete classes below it; `direct` is the place of the alternative by which each is reached. */
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
  | (Exclude<Part, { kind: 'field' }> & { readonly file: string | null })

type Bindings = ReadonlyMap<string, Node>
const noBindings: Bindings = new Map()

/** Grows on demand: `node` gives the node of a type, expanding whatever it needs. Names have been checked. */
export class Expansion {
  readonly nodes: Node[] = []
  /** Set once the expansion has become too large; it is then incomplete. */
  problem: Problem | null = null
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
    const key = `${use.name} ${args.map(({ id }) => id).join(' ')}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const node = this.#create(use, file, args)
    this.#known.set(key, node)
    this.nodes.push(node)
    this.#grow(1, use.at, file)
    return node
  }

  #create(use: TypeUse, file: string | null, args: readonly Node[]): Node {
    const { name, at } = use
    const id = this.nodes.length
    const whole = args.length === 0 ? name : `${name}(${args.map(({ text }) => text).join(', ')})`
    const text = whole.length > 80 ? `${whole.slice(0, 77)}...` : whole
    const located = this.#scope.classes.get(name)
    if (located === undefined) {
      const lexical = lexicalNames.get(name)
      if (lexical !== undefined) return { kind: 'lexical', id, text, lexical }
      const of = args[0]
      if (of === undefined) return { kind: 'foreign', id, text }
      return name === 'List'
        ? { kind: 'list', id, text, of, use: { at, file } }
        : { kind: 'option', id, text, of, use: { at, file } }
    }
    const bindings = bind(located, args)
    if (isAbstract(located.definition)) {
      const alternatives: { node: ClassNode; direct: number }[] = []
      this.#unfinished.push(() => this.#flatten(located, bindings, alternatives, null))
      return { kind: 'choice', id, text, name, located, alternatives }
    }
    const items: Item[] = []
    this.#unfinished.push(() => this.#fill(located, bindings, items))
    return { kind: 'class', id, text, name, located, items }
  }

  #flatten(
    { definition, file }: Located,
    bindings: Bindings,
    into: { node: ClassNode; direct: number }[],
    above: number | null,
  ): void {
    definition.alternatives.forEach((use, i) => {
      if (this.problem !== null) return
      const direct = above ?? i
      const located = this.#scope.classes.get(use.name)!
      if (isAbstract(located.definition)) {
        const args = use.arguments.map((argument) => this.#resolve(argument, file, bindings))
        this.#flatten(located, bind(located, args), into, direct)
      } else {
        into.push({ node: this.#resolve(use, file, bindings) as ClassNode, direct })
        this.#grow(1, use.at, file)
      }
    })
  }

  #fill(located: Located, bindings: Bindings, into: Item[]): void {
    let own = located
    let inner = bindings
    for (;;) {
      const { definition, file } = own
      for (const part of definition.parts) {
        const { at } = part
        into.push(
          part.kind === 'field'
            ? { kind: 'field', label: part.label, at, file, type: this.#resolve(part.type, file, inner) }
            : { ...part, file },
        )
        this.#grow(1, at, file)
        if (this.problem !== null) return
      }
      const parent = this.#scope.parents.get(definition.name)?.[0]
      if (parent === undefined) return
      // The parent's parameters, as far as the class's own arguments tell them; the checks see to it that they do.
      const outer = new Map<string, Node>()
      parent.use.arguments.forEach(({ name }, i) => {
        const node = inner.get(definition.parameters[i]!.name)
        if (node !== undefined && parent.definition.parameters.some((parameter) => parameter.name === name)) {
          outer.set(name, node)
        }
      })
      own = parent
      inner = outer
    }
  }

  #grow(by: number, at: Position, file: string | null): void {
    this.#size += by
    if (this.#size > MAX_SIZE && this.problem === null) {
      this.problem = problemIn(
        file,
        at,
        'With all type arguments and shared parts filled in, the dictionary is too large.',
        'Use fewer type parameters.',
      )
    }
  }
}

function bind({ definition }: Located, args: readonly Node[]): Bindings {
  return new Map(definition.parameters.map(({ name }, i) => [name, args[i]!]))
}
