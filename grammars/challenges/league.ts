import type { Json } from '../json.ts'

/**
 * A league of a challenge (section 5.3 of the spec): which predicates may be offered where it is played. In a file it is
 * `league name "title" { demands }`, or with a parameter `league level-k "Level k" (k = 2 in 1..256) { demands }`. The
 * demands speak of config, predicate and the parameter.
 */
export interface League {
  /** Kebab case, such as "slow-pitch". */
  readonly name: string
  readonly title: string
  /** The one number that the league wants, such as k; absent: it wants none. */
  readonly parameter?: LeagueParameter
  /** Secret challenges are part of this league (base ball). */
  readonly secret: boolean
  /**
   * May this predicate be offered? `predicate` as `Challenge.predicate` returned it; `parameter` where the league has one,
   * by default its standard. null: yes. Otherwise one sentence that says why not. Never throws.
   */
  admits(config: Json, predicate: Json, parameter?: number): string | null
}

/** Whole numbers from `low` to `high`. */
export interface LeagueParameter {
  readonly name: string
  readonly standard: number
  readonly low: number
  readonly high: number
}
