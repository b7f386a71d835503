import type { Json } from '../json.ts'

/**
 * A league of a challenge (section 5.3 of the spec): the predicates that may be offered in its matches. In a file it is
 * `league name "title" { demands }`, or with a parameter `league level-k "Level k" (k = 2 in 1..256) { demands }`. The
 * demands can use config, predicate and the parameter.
 */
export interface League {
  /** Kebab case, such as "slow-pitch". */
  readonly name: string
  readonly title: string
  /** The league's numeric parameter, such as k; absent: none. */
  readonly parameter?: LeagueParameter
  /** Secret challenges are part of this league (base ball). */
  readonly secret: boolean
  /**
   * May this predicate be offered? `predicate`: as returned by `Challenge.predicate`; `parameter`: for a league that
   * has one, by default its standard value. null: yes. Otherwise the reason in one sentence. Never throws.
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
