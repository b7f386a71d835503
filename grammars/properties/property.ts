import type { Value } from '../formulas/index.ts'
import type { Json } from '../json.ts'

/** Uniform whole numbers from 0 to 2^32 - 1; equal streams give equal values. */
export type Random = () => number

/**
 * What the `property` section of a challenge says about the values of one class (section 9 of the spec): it checks them and
 * it makes them, and the two agree. `inputs`: what the formulas speak of, as `evaluate` of grammars/formulas takes it; the
 * value itself and what comes after it may be left out. Pure; no method throws, and each ends within a budget of steps.
 */
export interface Property {
  /** null: the value is one that `generate` may make. `value` must be valid for the shape that the rules were checked with. */
  check(value: Json, inputs: readonly Value[]): Misfit | null
  /** A value that passes `check` and is valid. A problem where no value can meet the rules, or none was found. */
  generate(inputs: readonly Value[], random: Random): Generated
}

/** The first thing wrong with a value; `path` is like `constraints[3].weight`, empty for the value itself. */
export interface Misfit {
  readonly path: string
  readonly message: string
}

export type Generated =
  { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: Unmeetable }

/** Why no value was made. `at`: the offset of the rule in the text that it was read from; null: of no rule. */
export interface Unmeetable extends Misfit {
  readonly at: number | null
}
