import type { Fraction } from '../formulas/numbers/fraction.ts'
import type { Json } from '../json.ts'
import type { Position, Problem } from '../problem.ts'
import type { Random } from '../properties/index.ts'
import type { Values } from '../values/index.ts'
import type { Asked, Culprit } from './blame.ts'
import type { NamedFormat } from './formats/index.ts'
import type { Generator } from './generators/generator.ts'
import type { League } from './league.ts'
import type { Drawn } from './pictures/picture.ts'
import type { Reference } from './references/reference.ts'
import type { Sampler } from './sampler.ts'
import type { Modelled } from './solvers/model.ts'
import type { Section } from './tree.ts'

/**
 * A game of problems, read from one .challenge file (sections 4.1 and 5.4 of the spec). Pure: equal arguments give
 * equal results, and no argument is changed. `value` arguments are hostile JSON; an error is one sentence that names
 * the place. No method throws, whatever its arguments.
 */
export interface Challenge {
  /** Kebab case, such as "max-csp". */
  readonly name: string
  readonly title: string
  /** For students, Markdown. */
  readonly text: string
  /** Fills in defaults and checks ranges. The other methods need the config that this returns. */
  config(value: Json): Checked<{ readonly value: Json }>
  /** Checks a predicate. Returns its canonical form, and a `key` that is equal exactly for equal predicates. */
  predicate(config: Json, value: Json): Checked<{ readonly value: Json; readonly key: string }>
  /**
   * Is this raw material for the predicate? `predicate` as `predicate()` returned it. null: yes. Otherwise the reason.
   */
  legal(config: Json, predicate: Json, instance: Json): string | null
  /** Why this is not raw material for any predicate: checks only the demands that do not mention the predicate. */
  legalAtAll(config: Json, instance: Json): string | null
  /** Is this a feasible solution of a legal instance? null: yes. Otherwise the reason. */
  feasible(config: Json, instance: Json, solution: Json): string | null
  /**
   * The quality of a feasible solution of a legal instance, from 0 to 1. A string: the challenge file, not a player, is
   * at fault, for this reason.
   */
  quality(config: Json, instance: Json, solution: Json): Fraction | string
  /** Like `quality`, with measure and bound. */
  rating(config: Json, instance: Json, solution: Json): Rating | string
  /** Like `rating`, with the numbers of a quality that is not from 0 to 1, and the kind of any other failure. */
  judgement(config: Json, instance: Json, solution: Json): Judgement
  /**
   * The steps of each evaluation on these values, which must be valid, and its time on the caller's clock. Infinity: a
   * limit of the language ends it.
   */
  spent(
    config: Json,
    predicate: Json,
    instance: Json,
    solution: Json,
    now: () => number,
  ): readonly (Effort & { readonly ms: number })[]
  /** The position of the first section of this kind in the file, such as `bound`; null: it has none. */
  placeOf(section: Section['kind']): Position | null
  /**
   * Decides if a feasible solution of a legal instance supports the belief of a challenge with fraction f (sections 4.3
   * and 5.1), or discounts it (false). Decided by the file's `belief`, or by quality < f if it has none. A string: see
   * `quality`.
   */
  supports(config: Json, instance: Json, solution: Json, f: Fraction): boolean | string
  /** Why a legal instance cannot be judged, whatever its solution: its bound has no value. null: it can. */
  unratable(config: Json, instance: Json): string | null
  /**
   * The value at fault where a solution of a ratable instance was refused, or where `quality` or `supports` (with `f`; null:
   * not asked) returned a string. `random`: for the other values that are tried; see findCulprit.
   */
  culprit(config: Json, instance: Json, solution: Json, f: Fraction | null, random: Random, asked: Asked): Culprit
  /**
   * The value at fault where a legal instance of the predicate is not ratable: the file, if its bound fails, or takes too
   * many steps for others too.
   */
  boundCulprit(config: Json, predicate: Json, instance: Json, random: Random): Exclude<Culprit, 'solution'>
  /** The most steps of each evaluation with these settings, from above; Infinity: no bound is known. */
  efforts(config: Json): readonly Effort[]
  /** The format of other programs that the file names; null: it names none. */
  readonly format: NamedFormat | null
  /** The largest settings that `config` accepts. */
  readonly largestConfig: Json
  /** The leagues in the order of the file (section 5.3). */
  readonly leagues: readonly League[]
  /** In the order of the file. */
  readonly references: readonly Reference[]
  /** Random predicates, instances and solutions. */
  readonly sampler: Sampler
  /** Random instances as the file generates them; null: it has no section `generate`. */
  readonly generator: Generator | null
  /**
   * The parts of a legal instance (constraints, clauses) that a feasible solution satisfies; null if the quality is not
   * composed of parts.
   */
  explain(config: Json, instance: Json, solution: Json): Explanation | null
  /**
   * The picture of a legal instance, and of a feasible solution of it where that is not null; null: the file declares no
   * picture. A refusal is the file's fault.
   */
  readonly picture: ((config: Json, instance: Json, solution: Json | null) => Drawn) | null
  /**
   * The problem of solving a legal instance as well as possible, for exact solvers. An error says in one sentence why the
   * declaration does not allow one.
   */
  model(config: Json, instance: Json): Modelled
  /** Parser, printer and validator of the classes Predicate, Instance and Solution. */
  readonly values: Values
}

/** `what`: the formulas that are evaluated together. */
export interface Effort {
  readonly what: string
  readonly steps: number
}

/** Quality: measure / bound for a maximum, bound / measure for a minimum. */
export interface Rating {
  readonly measure: Fraction
  readonly bound: Fraction
  readonly quality: Fraction
}

/** `outside`: the quality is not from 0 to 1; `limit`, `failed`: a formula has no value. */
export type Judgement =
  | { readonly kind: 'rated'; readonly rating: Rating }
  | { readonly kind: 'outside'; readonly measure: Fraction; readonly bound: Fraction }
  | { readonly kind: 'limit' | 'failed'; readonly error: string }

export type Checked<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly error: string }

/** `challenge` is null exactly if there are problems; positions refer to the challenge file. */
export interface ReadChallenge {
  readonly challenge: Challenge | null
  readonly problems: readonly Problem[]
}

/** How the elements of one list of an instance contribute to the quality of a solution. */
export interface Explanation {
  /** The field of the instance that contains the list. */
  readonly label: string
  /** The type of its elements, as `values.print` takes it. */
  readonly type: string
  /** In the order of the list. met: contributes its whole bound; unmet: contributes nothing; partly: in between. */
  readonly verdicts: readonly Verdict[]
}
export type Verdict = 'met' | 'partly' | 'unmet'
