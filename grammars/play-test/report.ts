import type { ReferenceKind } from '../challenges/references/reference.ts'
import type { Json } from '../json.ts'
import type { GeneratorFault } from '../challenges/generators/generator.ts'
import type { Position } from '../problem.ts'

/** The result of trying out a challenge as a game, besides its examples. Plain data; qualities and shares are from 0 to 1. */
export interface PlayTest {
  /** False if a warning is fatal. */
  readonly playable: boolean
  /** False: the time was up before everything was tried. */
  readonly complete: boolean
  readonly draws: Draws
  readonly bound: BoundTest
  /** null: nothing was drawn that has a quality. */
  readonly spread: Spread | null
  readonly cost: readonly DrivenCost[]
  /** In the order of the file. */
  readonly references: readonly ReferenceResult[]
  /** null: the file has no generator. */
  readonly difficulty: Difficulty | null
  readonly warnings: readonly Finding[]
}

/** A warning about the game. Fatal: it cannot be played, or there is nothing to play for. */
export interface Finding {
  readonly code: FindingCode
  readonly fatal: boolean
  readonly message: string
  readonly hint: string
  /** The section that causes it; null: the whole file. */
  readonly at: Position | null
}

export type FindingCode =
  | 'no-predicate'
  | 'no-instance'
  | 'no-solution'
  | 'rarely-drawn'
  | 'bound-wrong'
  | 'not-judged'
  | 'over-limit'
  | 'slow'
  | 'trivial'
  | 'one-answer'
  | 'chance-is-best'
  | 'mostly-trivial'
  | 'cost-driven'
  | 'reference-failed'
  | 'reference-accepted'
  | 'reference-slow'
  | GeneratorFault

export interface Draws {
  /** With the settings of the test. */
  readonly usual: DrawnAt
  /** With the largest settings; null: they are the same, or were not reached in time. */
  readonly largest: DrawnAt | null
}

export interface DrawnAt {
  readonly config: Json
  readonly predicates: Tally
  readonly instances: Tally
  readonly solutions: Tally
  /** Characters of the instances as text; null: none was drawn. */
  readonly sizes: { readonly least: number; readonly median: number; readonly most: number } | null
  /** The dearest evaluation of each kind. */
  readonly judgements: readonly DearestJudgement[]
}

/** `steps`: null if a limit of the language ended it. `ms`: on the caller's clock. */
export interface DearestJudgement {
  readonly what: string
  readonly steps: number | null
  readonly ms: number
}

/** Random objects that were tried, and those among them that meet the demands. */
export interface Tally {
  readonly tried: number
  readonly found: number
  /** Why one was refused; null: none was. */
  readonly refused: string | null
}

export interface BoundTest {
  /** Small instances, all of whose solutions that the file's property can make were tried. */
  readonly instances: number
  readonly solutions: number
  /** The best quality of an exhausted instance, on average; null: none was exhausted. */
  readonly reached: number | null
  /** null: no solution was found that is better than its bound. */
  readonly counterexample: Counterexample | null
}

/** Values as text; numbers exact, as p/q. */
export interface Counterexample {
  readonly predicate: string
  readonly instance: string
  readonly solution: string
  readonly measure: string
  readonly bound: string
}

export interface Spread {
  /** Instances with solutions. */
  readonly instances: number
  /** Average quality of one random solution, of the better of two as the baby takes it, and of the best found. */
  readonly chance: number
  readonly baby: number
  readonly best: number
  /** Shares of the instances whose first random solution has quality 0, and quality 1. */
  readonly zero: number
  readonly one: number
  /** Share of the instances whose solutions all had the same quality. */
  readonly flat: number
  /** The largest margins first. */
  readonly margins: readonly Margin[]
}

/** A seller's prospects with one predicate, given as text. */
export interface Margin {
  readonly predicate: string
  /** The best quality found on the hardest of its instances: a price that a good solver gets back. */
  readonly price: number
  /** Average quality of random solutions of that instance. */
  readonly chance: number
  /** price - chance: a seller's profit from a buyer that tries at random. */
  readonly margin: number
}

/** A reference of the file on random instances. Averages count a refused solution as quality 0; null: it was not run. */
export interface ReferenceResult {
  readonly title: string
  readonly kind: ReferenceKind
  readonly language: 'formulas' | 'javascript'
  /** The share of the best quality that a good or greedy one must reach, and that a wrong one must not. */
  readonly share: number
  /** Those that it solved in time. */
  readonly instances: number
  /** True if it did not answer in time for another one. */
  readonly late: boolean
  /** Instances for which its solution was refused, or for which it had none. */
  readonly refused: number
  readonly quality: number | null
  /** The best found on the same instances, by any reference and by a short search. */
  readonly best: number | null
  /** The most steps of its formulas; null also for JavaScript. */
  readonly steps: number | null
  readonly ok: boolean | null
  /** Why its first refused solution was; null: none was. */
  readonly problem: string | null
}

/** How hard the instances of a generator are. */
export interface Difficulty {
  /** One for each of the first parameters; none in a short test. */
  readonly curves: readonly DifficultyCurve[]
}

export interface DifficultyCurve {
  readonly parameter: string
  /** From the low end of its range to the high one; without values for which no instance was measured. */
  readonly points: readonly DifficultyPoint[]
}

/** Average qualities, as in Spread; of the planted solutions too, or null. */
export interface DifficultyPoint {
  readonly value: number
  readonly instances: number
  readonly chance: number
  readonly baby: number
  readonly best: number
  readonly planted: number | null
}

/** A judgement that becomes expensive if a player chooses one value large. */
export interface DrivenCost {
  /** The value that grows, such as `instance.capacity`. */
  readonly value: string
  /** The evaluation whose steps grow with it, such as `bound`. */
  readonly what: string
  readonly before: number
  /** null: a limit of the language ended it. */
  readonly after: number | null
  /** The grown value in short. */
  readonly grown: string
}
