import type { Survey } from '../../grammars/challenges/index.ts'
import type { Json } from '../../grammars/json.ts'
import type { Problem } from '../../grammars/problem.ts'

/** What the worker can be asked. One question at a time: what runs is given up by ending the worker. */
export type WorkerRequest =
  | { readonly kind: 'check'; readonly source: string }
  | ({ readonly kind: 'sample'; readonly source: string } & Wanted)
  | { readonly kind: 'find'; readonly source: string; readonly wish: Wish }

export interface Wanted {
  /** Any text; equal seeds give equal samples, the same as `tartaglia challenge sample`. */
  readonly seed: string
  readonly count: number
  /** How many solutions of each instance are looked at. */
  readonly effort: number
}

/**
 * One object of a challenge: a predicate that a league admits, raw material for a predicate, or as good a solution as is found
 * within so many ms. `config`: the challenge's settings, filled in. `stream`: what chance follows, 64 hexadecimal digits.
 */
export type Wish = { readonly config: Json; readonly stream: string } & (
  | { readonly what: 'Predicate'; readonly league: string | null; readonly leagueParameter: number | null }
  | { readonly what: 'Instance'; readonly predicate: Json }
  | { readonly what: 'Solution'; readonly instance: Json; readonly withinMs: number }
)

export type WorkerReply =
  | ({ readonly kind: 'checked' } & Checked)
  | { readonly kind: 'sampled'; readonly sample: Sample }
  /** What was wished for, as text. */
  | { readonly kind: 'found'; readonly text: string }
  /** How much is done, 0 to 1. */
  | { readonly kind: 'part'; readonly part: number }
  /** `failure`: why there is not what was wanted; null where there is. */
  | { readonly kind: 'ended'; readonly failure: string | null }

/** What is known of a text. */
export interface Checked {
  readonly problems: readonly Problem[]
  readonly survey: Survey
}

/** Objects of a challenge that belong together, in its own syntax. */
export interface Sample {
  readonly predicate: string
  readonly instance: string
  readonly random: Rated
  /** The best that was found. */
  readonly best: Rated
}

/** A solution with its quality. */
export interface Rated {
  readonly solution: string
  /** Exact, "p/q". */
  readonly quality: string
  readonly number: number
}
