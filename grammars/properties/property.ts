import type { Value } from '../formulas/index.ts'
import type { Json } from '../json.ts'

/** Uniform whole numbers from 0 to 2^32 - 1; equal streams give equal values. */
export type Random = () => number

/**
 * The `property` section of a challenge about the values of one class (section 9 of the spec): checks and generates
 * them consistently. `inputs`: the variables of the formulas, as for `evaluate` of grammars/formulas; the value itself
 * and later ones may be left out. Pure; no method throws, and each ends within a budget of steps.
 */
export interface Property {
  /**
   * null: `generate` could generate the value. `value` must be valid for the shape for which the rules were checked.
   */
  check(value: Json, inputs: readonly Value[]): Misfit | null
  /** A valid value that passes `check`. A problem if no value can meet the rules, or none was found. */
  generate(inputs: readonly Value[], random: Random): Generated
  /** All values that `generate` could generate; null: more than `most` combinations of choices, or no bound on them. */
  every(inputs: readonly Value[], most: number): readonly Json[] | null
}

/** The first problem of a value; `path` is like `constraints[3].weight`, empty for the value itself. */
export interface Misfit {
  readonly path: string
  readonly message: string
}

export type Generated =
  { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: Unmeetable }

/** Why no value was generated. `at`: the offset of the rule in its text; null: no particular rule. */
export interface Unmeetable extends Misfit {
  readonly at: number | null
  /** True if a formula reached a limit of the language. */
  readonly limit: boolean
}
