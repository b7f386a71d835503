import type { Shape } from '../../values/shape.ts'
import type { BuiltIn } from '../functions/built-in.ts'
import type { FormulaFault } from '../syntax/fault.ts'
import type { Expression, TypeName } from '../syntax/tree.ts'
import type { Typed, TypedFunction } from './typed.ts'
import { typeAdvice } from './advice.ts'
import { NOTHING, typeOf } from './types.ts'
import type { Type } from './types.ts'

/** The slot and the type of a name's value. */
export interface Variable {
  readonly slot: number
  readonly type: Type
}

/** The names that a formula may use. Immutable: extending a scope creates a new one. */
export type Scope = ReadonlyMap<string, Variable>

export function extended(scope: Scope, name: string, variable: Variable): Scope {
  return new Map(scope).set(name, variable)
}

/** A parameter, by its slot, or a part of it. */
export interface Part {
  readonly parameter: number
  /** True: smaller than the whole. */
  readonly smaller: boolean
}

export interface OpenFunction {
  readonly function: TypedFunction
  /** The parameters that have become smaller in every call of itself so far, by their slots. */
  shrinking: readonly number[]
}

/** The checker is passed in, because its parts, in several files, call it through the program. */
type Checker = (tree: Expression, scope: Scope, program: Program) => Typed

/** Called for every part of a formula after its type has been determined; for editors. */
export type Watch = (tree: Expression, scope: Scope, type: Type) => void

/** The common part of all formulas of one program: functions, classes, the number of slots, the problems so far. */
export class Program {
  readonly functions = new Map<string, TypedFunction>()
  readonly faults: FormulaFault[] = []
  /** The parts of a parameter that slots hold, for functions that call themselves. */
  readonly parts = new Map<number, Part>()
  /** The function whose body is being checked, if it may call itself. */
  open: OpenFunction | null = null
  /** Functions that only the formulas which are being checked may call, by their names. */
  further: ReadonlyMap<string, BuiltIn> | null = null
  private readonly classes: (name: string) => Shape | null
  private readonly checker: Checker
  readonly watch: Watch | null
  private slots = 0

  /** `classes`: resolves type names other than the built-in ones. */
  constructor(classes: (name: string) => Shape | null, checker: Checker, watch: Watch | null) {
    this.classes = classes
    this.checker = checker
    this.watch = watch
  }

  /** Checks the types of a part of a formula. */
  check(tree: Expression, scope: Scope): Typed {
    return this.checker(tree, scope, this)
  }

  /** The number of slots that a frame needs. */
  get size(): number {
    return this.slots
  }

  variable(type: Type): Variable {
    return { slot: this.slots++, type }
  }

  report(at: number, message: string, hint: string | undefined, kind: Pick<FormulaFault, 'code' | 'remedy'>): void {
    this.faults.push({ at, ...kind, message, ...(hint === undefined ? {} : { hint }) })
  }

  /** The type with this name; an unknown name is reported. */
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
    this.report(name.at, `The type "${name.name}" is unknown.`, ...typeAdvice(name.name, name.at))
    return NOTHING
  }
}
