import type { Challenge } from '../challenges/index.ts'
import type { Json } from '../json.ts'
import type { Random } from '../properties/index.ts'

/** A challenge under test with its settings, and the caller's chance and clock. */
export interface Tools {
  readonly challenge: Challenge
  /** Complete, as `Challenge.config` returns it. */
  readonly config: Json
  readonly random: Random
  /** Milliseconds; measures judgements and ends a test that takes too long, and decides nothing else. */
  now(): number
  /** True if the time is up. */
  isOver(): boolean
}

/** The amounts of a test. */
export interface Amounts {
  /** Predicates, and instances of each. */
  readonly predicates: number
  readonly instances: number
  /** Random solutions of each instance. */
  readonly solutions: number
  /** Variations of the best solution of each instance; fewer where judging takes many steps. */
  readonly variations: number
  /** Small instances to exhaust, and the most combinations of choices for the solutions of one. */
  readonly small: number
  readonly ways: number
  /** Instances with the largest settings, which are drawn slowly. */
  readonly largest: number
  /** Instances for each value of a parameter of the generator; left out: its difficulty is not measured. */
  readonly difficulty?: number
}

/** Steps of one evaluation from which on an agent can try only a handful of solutions in a second. */
export const SLOW = 1_000_000

export const USUAL: Amounts = {
  predicates: 8,
  instances: 4,
  solutions: 8,
  variations: 120,
  small: 24,
  ways: 1_500,
  largest: 1,
  difficulty: 4,
}
export const THOROUGH: Amounts = {
  predicates: 24,
  instances: 8,
  solutions: 16,
  variations: 600,
  small: 120,
  ways: 8_000,
  largest: 3,
  difficulty: 16,
}
