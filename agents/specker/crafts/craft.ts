import type { Json } from '../../../main/contract/json.ts'

/**
 * Special knowledge of a challenge. Raw material and predicates passed to it are legal; its results are checked with
 * the challenge's file before they are used.
 */
export interface Craft {
  /** True if `solve` finds the best solution of any raw material that the settings allow. */
  readonly exact: boolean
  /** A good solution. `effort`: steps of about a tenth of a microsecond. `random`: [0, 1). */
  solve(instance: Json, effort: number, random: () => number): Json
  /** Raw material whose best solution is as bad as possible; several if it is not known which is worst. */
  hard(predicate: Json): readonly Json[]
}

/** The least of a non-empty list. */
export function least(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b))
}

export function most(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b))
}

/** 1, 2, up to `count`. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1)
}
