import type { EntrantId, MatchNumber, Sha256 } from './ids.ts'
import type { IsolationTier } from './limits.ts'
import type { Outcome } from './outcome.ts'

/** A match that has been played to its end: what its worker reports of it, and what its history tells. */
export interface FinishedMatch {
  readonly match: MatchNumber
  /** From 1. */
  readonly attempt: number
  /** Unique within the contest's data. */
  readonly run: number
  /** Chain value of its outcome line: the leaf of the contest's tree. */
  readonly head: Sha256
  readonly outcome: Outcome
  /** SHA-256 of its final state. */
  readonly state: Sha256
  /** Pseudonyms by seat. */
  readonly entrants: readonly EntrantId[]
  /** Faults of each seat, host faults not counted. */
  readonly faults: readonly number[]
  /** Private console lines of each seat. */
  readonly printed: readonly number[]
  readonly isolation: IsolationTier
  /** From its start to its outcome, on the match clock. */
  readonly ms: number
}
