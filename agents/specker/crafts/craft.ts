import type { Json } from '../../../main/contract/json.ts'

/**
 * What somebody knows of a challenge who has thought about it. Raw material and predicates are legal when they get here; what
 * comes back is checked against the challenge's file before it is used.
 */
export interface Craft {
  /** Whether `solve` finds the best solution of any raw material that the settings allow. */
  readonly exact: boolean
  /** A good solution. `effort`: steps of about a tenth of a microsecond. `random`: [0, 1). */
  solve(instance: Json, effort: number, random: () => number): Json
  /** Raw material whose best solution is as poor as can be; several where it is not known which is the worst. */
  hard(predicate: Json): readonly Json[]
}

/** Of a list with something in it. */
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
