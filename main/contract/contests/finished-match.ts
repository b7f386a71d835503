import type { EntrantId, MatchNumber, Sha256 } from '../ids.ts'
import type { GroupsVersion, IsolationTier } from '../limits.ts'
import type { ToolchainVersions } from '../players/toolchains.ts'
import type { Outcome } from '../game/outcome.ts'

/** A match that has been played to its end, as its worker reports it and as its history records it. */
export interface FinishedMatch {
  readonly match: MatchNumber
  /** From 1. */
  readonly attempt: number
  /** Unique within the contest's data. */
  readonly run: number
  /** Chain value of its outcome line: its leaf in the contest's Merkle tree. */
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
  /** As in its header. */
  readonly groups?: GroupsVersion
  /** As in its header. */
  readonly toolchains?: ToolchainVersions
  /** ms on the match clock from its start to its outcome. */
  readonly ms: number
}
