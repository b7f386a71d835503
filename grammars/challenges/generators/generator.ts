import type { Fraction } from '../../formulas/numbers/fraction.ts'
import type { Json } from '../../json.ts'
import type { Random } from '../../properties/index.ts'

/**
 * The `generate` section of a challenge: seeded raw material, with parameters, and a solution that only its
 * maker knows. Pure: equal streams give equal material. No method throws.
 */
export interface Generator {
  /** In the order of the file. */
  readonly parameters: readonly GeneratorParameter[]
  /** Fills in defaults and checks names and ranges; `value` is hostile. */
  settings(value: Json): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: string }
  /** `predicate` as `Challenge.predicate` returns it, `settings` as `settings` does. `random`: as for the sampler. */
  make(config: Json, predicate: Json, settings: Json, random: Random): Material
}

export interface GeneratorParameter {
  readonly name: string
  /** True if default and range are whole numbers, so that all values are. */
  readonly whole: boolean
  readonly standard: number
  readonly low: number
  readonly high: number
}

/** `steps`: of all formulas of the section. A failure is the fault of the file, in one sentence. */
export type Material =
  | { readonly ok: true; readonly instance: Json; readonly planted: Planted | null; readonly steps: number }
  | { readonly ok: false; readonly code: GeneratorFault; readonly error: string }

export interface Planted {
  /** Feasible. */
  readonly solution: Json
  readonly quality: Fraction
}

/** A formula has no value or takes too many steps; the instance is not legal; the planted solution is not feasible, or has no quality. */
export type GeneratorFault =
  'generator-failed' | 'generator-limit' | 'generator-illegal' | 'planted-infeasible' | 'planted-unrated'
