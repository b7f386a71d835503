import type { Applied } from '../functions/built-in.ts'
import type { Arithmetic } from '../numbers/arithmetic.ts'
import type { Exact } from '../numbers/exact.ts'
import type { Type } from './types.ts'

/**
 * A checked formula: every name is resolved to a slot, every overloaded name to one meaning. Slots are numbered across
 * all formulas and functions of a program; each binding has its own. A function that calls itself keeps its slots meanwhile.
 */
export type Typed = { readonly type: Type } & Node

type Node =
  | { readonly kind: 'constant'; readonly value: Exact | boolean | string }
  | { readonly kind: 'local'; readonly slot: number }
  | { readonly kind: 'field'; readonly of: Typed; readonly label: string }
  | { readonly kind: 'element'; readonly at: number; readonly of: Typed; readonly index: Typed }
  | { readonly kind: 'arithmetic'; readonly at: number; readonly operator: Arithmetic; readonly args: readonly Typed[] }
  | { readonly kind: 'order'; readonly operator: Order; readonly left: Typed; readonly right: Typed }
  | { readonly kind: 'equal'; readonly negated: boolean; readonly left: Typed; readonly right: Typed }
  | { readonly kind: 'member'; readonly value: Typed; readonly list: Typed }
  | { readonly kind: 'between'; readonly value: Typed; readonly low: Typed; readonly high: Typed }
  | { readonly kind: 'subset'; readonly left: Typed; readonly right: Typed }
  | { readonly kind: 'not'; readonly of: Typed }
  | { readonly kind: 'both' | 'either'; readonly left: Typed; readonly right: Typed }
  | { readonly kind: 'list'; readonly elements: readonly Typed[] }
  | Range
  | Gathered
  | { readonly kind: 'length'; readonly of: Typed }
  | { readonly kind: 'distinct'; readonly of: Typed }
  | { readonly kind: 'bit'; readonly at: number; readonly bits: Typed; readonly row: Typed }
  | Lookup
  | { readonly kind: 'if'; readonly condition: Typed; readonly yes: Typed; readonly no: Typed }
  | { readonly kind: 'let'; readonly slot: number; readonly value: Typed; readonly body: Typed }
  | {
      readonly kind: 'match'
      readonly subject: Typed
      readonly cases: readonly TypedCase[]
      readonly other: Typed | null
    }
  | {
      readonly kind: 'apply'
      readonly at: number
      readonly name: string
      readonly applied: Applied
      readonly args: readonly Typed[]
    }
  /** `own`: the function calls itself. */
  | { readonly kind: 'call'; readonly function: TypedFunction; readonly args: readonly Typed[]; readonly own: boolean }
  | Folded

export type Order = '<' | '<=' | '>' | '>='

/** The `val` of the entry with a key; for `has`, only whether there is one. */
export interface Lookup {
  readonly kind: 'lookup' | 'has'
  readonly at: number
  readonly entries: Typed
  readonly key: Typed
}

/** `low..high` as a list of integers; empty where high < low. */
export interface Range {
  readonly kind: 'range'
  readonly low: Typed
  readonly high: Typed
}

/** A fold over loops, the first outermost. */
export interface Gathered {
  readonly kind: 'gather'
  readonly at: number
  readonly fold: Fold
  readonly loops: readonly TypedLoop[]
  readonly body: Typed
}

/** The value of `body` for the last element; `slot` holds that for the element before, at first `start`. */
export interface Folded {
  readonly kind: 'fold'
  readonly slot: number
  readonly start: Typed
  readonly loops: readonly TypedLoop[]
  readonly body: Typed
}

export type Fold = 'sum' | 'count' | 'all' | 'exists' | 'min' | 'max' | 'first' | 'list'

export interface TypedLoop {
  readonly slot: number
  /** The slot of the element's number, which counts from 1. */
  readonly indexSlot: number | null
  readonly source: Typed
  readonly filter: Typed | null
}

/** `alternative`: a class name, or "some" and "none" of an option. */
export interface TypedCase {
  readonly alternative: string
  readonly slot: number | null
  readonly body: Typed
}

/** The size of a formula. `depth`: nesting of closures at run time, including calls; `size`: the number of parts. */
export interface Extent {
  readonly depth: number
  readonly size: number
}

export interface TypedFunction {
  readonly name: string
  readonly parameters: readonly { readonly slot: number; readonly type: Type }[]
  readonly body: Typed
  readonly extent: Extent
  /** The slots of its names, from `first` to before `end`. */
  readonly slots: { readonly first: number; readonly end: number }
}

/** `sentence`: a list of texts and of formulas whose values are inserted. */
export type TypedDemand =
  | {
      readonly kind: 'require'
      readonly at: number
      readonly condition: Typed
      readonly sentence: readonly (string | Typed)[]
    }
  | { readonly kind: 'each'; readonly at: number; readonly loop: TypedLoop; readonly demands: readonly TypedDemand[] }
