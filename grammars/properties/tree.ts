import type { Expression } from '../formulas/index.ts'

/**
 * `Class.label: constraint, ...`, or `Class: choose ...` and `Class: where ...` with `label` null. `at`: offsets in the
 * text.
 */
export interface RuleTree {
  readonly at: number
  readonly className: string
  readonly label: { readonly at: number; readonly name: string } | null
  readonly constraints: readonly ConstraintTree[]
}

export type ConstraintTree =
  /** `formula`: exactly this value. */
  | { readonly kind: 'single'; readonly at: number; readonly formula: Expression }
  /** `range low high` */
  | { readonly kind: 'range'; readonly at: number; readonly low: Expression; readonly high: Expression }
  /** `enum [a, b]`, `in list`, of an element; `subset list`, of a list, each element of it. */
  | { readonly kind: 'enum' | 'in' | 'subset'; readonly at: number; readonly list: Expression }
  | { readonly kind: 'distinct'; readonly at: number }
  /** `length constraint`, `element constraint`, of a list */
  | { readonly kind: 'length' | 'element'; readonly at: number; readonly of: ConstraintTree }
  /** `matches "expression"`; `image`: the text as written, with quotes. */
  | { readonly kind: 'matches'; readonly at: number; readonly image: string }
  /**
   * `Class: where condition`, about the whole object `this`: the generator generates the object until it holds, up to a
   * limit. For requirements on several fields, such as "a clause of one of the predicate's types" of max-sat.
   */
  | { readonly kind: 'where'; readonly at: number; readonly formula: Expression }
  /** `choose { Alternative: weight, ... }` */
  | { readonly kind: 'choose'; readonly at: number; readonly weights: readonly WeightTree[] }

export interface WeightTree {
  readonly at: number
  readonly name: string
  /** Digits as written. */
  readonly weight: string
}
