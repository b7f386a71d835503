import type { Shape } from '../values/shape.ts'
import type { Fault } from './parser.ts'
import type { Expression, TypeName } from './tree.ts'
import type { Typed, TypedFunction } from './typed.ts'
import { NOTHING, typeOf } from './types.ts'
import type { Type } from './types.ts'

/** Where a name's value is kept, and of what type it is. */
export interface Variable {
  readonly slot: number
  readonly type: Type
}

/** The names that a formula may use; a scope is extended by making a longer one. */
export type Scope = ReadonlyMap<string, Variable>

export function extended(scope: Scope, name: string, variable: Variable): Scope {
  return new Map(scope).set(name, variable)
}

/** The checker is handed in: its parts, in several files, come back to it through the program. */
type Checker = (tree: Expression, scope: Scope, program: Program) => Typed

/** Told of every part of a formula once it has been typed: for editors. */
export type Watch = (tree: Expression, scope: Scope, type: Type) => void

/** What all formulas of one program share: functions, classes, the count of slots, what is wrong so far. */
export class Program {
  readonly functions = new Map<string, TypedFunction>()
  readonly faults: Fault[] = []
  private readonly classes: (name: string) => Shape | null
  private readonly checker: Checker
  readonly watch: Watch | null
  private slots = 0

  /** `classes`: what type names other than the built-in ones may mean. */
  constructor(classes: (name: string) => Shape | null, checker: Checker, watch: Watch | null) {
    this.classes = classes
    this.checker = checker
    this.watch = watch
  }

  /** Types a part of a formula. */
  check(tree: Expression, scope: Scope): Typed {
    return this.checker(tree, scope, this)
  }

  /** How many slots a frame must have. */
  get size(): number {
    return this.slots
  }

  variable(type: Type): Variable {
    return { slot: this.slots++, type }
  }

  report(at: number, message: string, hint?: string): void {
    this.faults.push(hint === undefined ? { at, message } : { at, message, hint })
  }

  /** The type that a name stands for; an unknown one is reported. */
  resolve(name: TypeName): Type {
    if (name.kind !== 'named') return { kind: name.kind, of: this.resolve(name.of) }
    switch (name.name) {
      case 'int':
      case 'number':
      case 'boolean':
      case 'text':
        return { kind: name.name }
    }
    const shape = this.classes(name.name)
    if (shape) return typeOf(shape)
    this.report(
      name.at,
      `There is no type "${name.name}".`,
      'A type is int, number, boolean, text or a class of the dictionary.',
    )
    return NOTHING
  }
}
