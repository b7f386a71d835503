import type { Json } from '../../json.ts'
import type { Position } from '../../problem.ts'

/** `good` and `greedy` ones must be accepted and reach a share of the best; a `wrong` one must be refused or stay below it. */
export type ReferenceKind = 'good' | 'greedy' | 'wrong'

/** The share of the best quality found, where a file names none. */
export const SHARES: Readonly<Record<ReferenceKind, number>> = { good: 0.9, greedy: 0.5, wrong: 0.5 }

/** A way to solve instances that a file declares, to test the game with. */
export interface Reference {
  readonly title: string
  readonly kind: ReferenceKind
  /** From 0 to 1. */
  readonly share: number
  readonly at: Position
  readonly how: Formulated | Scripted
}

/** In the language of the file. `solve` never throws; its solution may be refused by the challenge. */
export interface Formulated {
  readonly language: 'formulas'
  solve(config: Json, instance: Json): Solved
}

/** Untrusted JavaScript that defines `solve(instance, config)`; its lines are those of the file. */
export interface Scripted {
  readonly language: 'javascript'
  readonly source: string
}

/** `steps`: of all formulas together; null: not counted, or a limit of the language ended them. */
export type Solved =
  | { readonly ok: true; readonly solution: Json; readonly steps: number | null }
  /** `late`: it may be right, but took longer than a script may. */
  | { readonly ok: false; readonly error: string; readonly late?: true }
