import type { Picture, Survey } from '../../grammars/challenges/index.ts'
import type { Json } from '../../grammars/json.ts'
import type { PlayTest } from '../../grammars/play-test/report.ts'
import type { Problem } from '../../grammars/problem.ts'
import type { Advice, Question } from './consult.ts'

/** Requests to the worker, one at a time. A running one is cancelled by terminating the worker. */
export type WorkerRequest =
  | { readonly kind: 'check'; readonly source: string }
  | ({ readonly kind: 'sample'; readonly source: string } & Wanted)
  /** `settings`: the challenge's own. */
  | { readonly kind: 'try'; readonly source: string; readonly settings: Json }
  | { readonly kind: 'find'; readonly source: string; readonly wish: Wish }
  | { readonly kind: 'consult'; readonly source: string; readonly question: Question }

export interface Wanted {
  /** Any text; the same seed gives the same samples as `tartaglia challenge sample`. */
  readonly seed: string
  readonly count: number
  /** How many solutions of each instance are tried. */
  readonly effort: number
  /** Parameters of the generator that makes the raw material; null: the properties make it. */
  readonly parameters: Json | null
}

/**
 * A request for one object of a challenge: a predicate that a league admits, raw material for a predicate, or the best
 * solution found within a time in ms. `config`: the complete settings of the challenge. `stream`: the random seed, 64 hexadecimal digits.
 */
export type Wish = { readonly config: Json; readonly stream: string } & (
  | { readonly what: 'Predicate'; readonly league: string | null; readonly leagueParameter: number | null }
  | { readonly what: 'Instance'; readonly predicate: Json }
  | { readonly what: 'Solution'; readonly instance: Json; readonly withinMs: number }
)

export type WorkerReply =
  | ({ readonly kind: 'checked' } & Checked)
  | { readonly kind: 'sampled'; readonly sample: Sample }
  | { readonly kind: 'tried'; readonly test: PlayTest }
  /** The requested object, as text. */
  | { readonly kind: 'found'; readonly text: string }
  | { readonly kind: 'advised'; readonly advice: Advice }
  /** Progress, 0 to 1. */
  | { readonly kind: 'part'; readonly part: number }
  /** `failure`: why the request failed; null if it succeeded. */
  | { readonly kind: 'ended'; readonly failure: string | null }

/** The result of checking a text. */
export interface Checked {
  readonly problems: readonly Problem[]
  readonly survey: Survey
}

/** A predicate with raw material and solutions, in the challenge's own syntax. */
export interface Sample {
  readonly predicate: string
  readonly instance: string
  readonly random: Rated
  /** The best solution found. */
  readonly best: Rated
  /** The raw material with the best solution; null: the challenge declares none. */
  readonly picture: Picture | null
}

/** A solution with its quality. */
export interface Rated {
  readonly solution: string
  /** Exact, "p/q". */
  readonly quality: string
  readonly number: number
}
