import type { ContestId, EntrantId, GameId, MatchNumber, Sha256 } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import type { ClockMode, IsolationTier, Limits } from '../contract/limits.ts'
import type { Outcome } from '../contract/outcome.ts'
import type { Verdict } from '../histories/verify.ts'

/** What all matches of a contest have in common; sent to a worker once. */
export interface ContestSetup {
  readonly contest: ContestId
  /** Hash of the description's canonical text, and of the config's: blobs of the history. */
  readonly contestHash: Sha256
  readonly configHash: Sha256
  readonly game: GameId
  readonly config: Json
  readonly limits: Limits
  readonly isolation: IsolationTier
  readonly clock: ClockMode
}

/** One match to play. `run` is unique within the contest's data; `attempt` counts from 1. */
export interface MatchJob {
  readonly run: number
  readonly match: MatchNumber
  readonly attempt: number
  readonly seed: Sha256
  readonly nonce: Sha256
  /** In the order of the match's entrants. */
  readonly entrants: readonly { readonly name: EntrantId; readonly agent: Sha256 }[]
}

/** From the engine to a worker. */
export type WorkerCommand =
  | { readonly type: 'contest'; readonly setup: ContestSetup }
  /** Comes before the first job that needs it. `source` is the agent's file, read as lenient UTF-8. */
  | { readonly type: 'agent'; readonly agent: Sha256; readonly source: string }
  | { readonly type: 'play'; readonly job: MatchJob }
  /** Verifies an exported match; needs no contest. `key`: whose signature it must be; null: that of the file's own key. */
  | { readonly type: 'verify'; readonly file: string; readonly key: string | null }

/** What a verification found. `gone`: the file could not be read, in words. */
export type VerifyReport =
  { readonly type: 'verified'; readonly verdict: Verdict } | { readonly type: 'gone'; readonly reason: string }

/** A process group of an agent has come, or gone. Those that are left when the worker has ended are ended by main. */
export interface GroupReport {
  readonly type: 'group'
  readonly group: number
  readonly alive: boolean
}

/** From a worker that plays to the engine, in order. */
export type WorkerReport =
  | { readonly type: 'ready' }
  /** Whole lines of a run's history. */
  | { readonly type: 'lines'; readonly run: number; readonly text: string }
  | {
      readonly type: 'finished'
      readonly run: number
      readonly head: Sha256
      readonly outcome: Outcome
      /** Pseudonyms by seat. */
      readonly entrants: readonly EntrantId[]
      /** Faults of each seat, host faults not counted. */
      readonly faults: readonly number[]
      /** Private console lines of each seat. */
      readonly printed: readonly number[]
      /** Length of the match on its own clock. */
      readonly ms: number
    }
  /** A player's process was killed from outside: nothing of the run counts, it is played again as the same attempt. */
  | { readonly type: 'interrupted'; readonly run: number; readonly reason: string }
  /** A host fault; its record is complete too. */
  | { readonly type: 'void'; readonly run: number; readonly head: Sha256; readonly reason: string }
