import type { Fraction } from '../formulas/fraction.ts'
import type { Json } from '../json.ts'
import type { Problem } from '../problem.ts'
import type { Values } from '../values/index.ts'
import type { League } from './league.ts'
import type { Sampler } from './sampler.ts'

/**
 * A game of problems, read from one .challenge file (sections 4.1 and 5.4 of the spec). Pure: equal arguments give equal
 * answers, and no argument is changed. `value` arguments are hostile JSON; what comes back is one clear sentence naming
 * the place. No method throws, whatever it is given.
 */
export interface Challenge {
  /** Kebab case, such as "max-csp". */
  readonly name: string
  readonly title: string
  /** For students, Markdown. */
  readonly text: string
  /** Fills in defaults and checks ranges. The other methods want what this returns. */
  config(value: Json): Checked<{ readonly value: Json }>
  /** Checks a predicate. `value`: its canonical form; `key`: the same text for equal predicates and no others. */
  predicate(config: Json, value: Json): Checked<{ readonly value: Json; readonly key: string }>
  /** Is this raw material for the predicate? `predicate` as `predicate()` returned it. null: yes. Otherwise the reason. */
  legal(config: Json, predicate: Json, instance: Json): string | null
  /** What keeps this from being raw material whatever the predicate: the demands that do not speak of one. */
  legalAtAll(config: Json, instance: Json): string | null
  /** Is this a feasible solution? `instance` has been found legal. null: yes. Otherwise the reason. */
  feasible(config: Json, instance: Json, solution: Json): string | null
  /**
   * The quality of a feasible solution of a legal instance, from 0 to 1. A string: the challenge file is to blame, not a
   * player, and the sentence says why.
   */
  quality(config: Json, instance: Json, solution: Json): Fraction | string
  /** As `quality`, with what it was made of. */
  rating(config: Json, instance: Json, solution: Json): Rating | string
  /**
   * Does a feasible solution of a legal instance leave the belief of a challenge standing, whose fraction is f (sections
   * 4.3 and 5.1: supported), or does it negate it (false: discounted)? The file's `belief`; where it has none, quality < f.
   * A string: as for `quality`.
   */
  supports(config: Json, instance: Json, solution: Json, f: Fraction): boolean | string
  /** The leagues in the order of the file (section 5.3). */
  readonly leagues: readonly League[]
  /** Random predicates, instances and solutions. */
  readonly sampler: Sampler
  /**
   * Which parts of a legal instance a feasible solution meets, where the quality is made of parts (constraints, clauses);
   * null where it is not.
   */
  explain(config: Json, instance: Json, solution: Json): Explanation | null
  /** Parser, printer and validator of the classes Predicate, Instance and Solution. */
  readonly values: Values
}

/** Quality: measure / bound for a maximum, bound / measure for a minimum. */
export interface Rating {
  readonly measure: Fraction
  readonly bound: Fraction
  readonly quality: Fraction
}

export type Checked<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly error: string }

/** `challenge` is null exactly where there are problems; positions are places in the challenge file. */
export interface ReadChallenge {
  readonly challenge: Challenge | null
  readonly problems: readonly Problem[]
}

/** What the elements of one list of an instance contribute to the quality of a solution. */
export interface Explanation {
  /** The field of the instance that holds the list. */
  readonly label: string
  /** The type of its elements, as `values.print` takes it. */
  readonly type: string
  /** In the order of the list. met: as much as its bound; unmet: nothing; partly: in between. */
  readonly verdicts: readonly Verdict[]
}
export type Verdict = 'met' | 'partly' | 'unmet'
