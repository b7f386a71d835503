import type { SeatEncounter } from '../contract/encounter.ts'
import type { FinishedMatch } from '../contract/finished-match.ts'
import type { OutlineMark, Post, Seat } from '../contract/game.ts'
import type { RestrictedEvent } from '../contract/answers.ts'
import type { ContestId, EntrantId, GameId, MatchNumber, Sha256 } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import type { ClockMode, IsolationTier, Limits } from '../contract/limits.ts'
import type { LineCall, LineEvent, LinePlace, RemoteCall, RemoteEvent } from '../contract/seat-transport.ts'
import type { MatchPlace } from '../histories/match-place.ts'
import type { VerifyVerdict } from '../histories/verify.ts'
import type { ProgramCode } from './program-of-role.ts'
import type { WebAgent } from '../players/web/address.ts'
import type { RemoteAgent } from '../players/remote-player.ts'

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
  /** Matches that a worker plays at a time, each with processes of its own. */
  readonly lanes: number
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
  /** Its agents get processes that have never played, and nobody gets them afterwards. */
  readonly fresh: boolean
}

/**
 * A script's text, read as lenient UTF-8; a program, unpacked where its user can read it; where a web application is; or who
 * plays from elsewhere.
 */
export type AgentCode = string | ProgramCode | WebAgent | RemoteAgent

/** Whether there is nothing here that could be run. */
export const isRemote = (code: AgentCode | undefined): code is RemoteAgent =>
  typeof code === 'object' && 'remote' in code

/** From the engine to a worker. */
export type WorkerCommand =
  | { readonly type: 'contest'; readonly setup: ContestSetup }
  /** Comes before the first job that needs it. */
  | { readonly type: 'agent'; readonly agent: Sha256; readonly code: AgentCode }
  | { readonly type: 'play'; readonly job: MatchJob }
  /** What a remote player of a run has said. */
  | { readonly type: 'remote'; readonly run: number; readonly post: Post; readonly event: RemoteEvent }
  /** What has come from the connection of a post. */
  | { readonly type: 'line'; readonly place: LinePlace; readonly event: LineEvent }
  /** Verifies an exported match; needs no contest. `key`: whose signature it must be; null: that of the file's own key. */
  | { readonly type: 'verify'; readonly file: string; readonly key: string | null }
  /** Folds a match through its rules, for a viewer; needs no contest. */
  | { readonly type: 'read'; readonly match: ReadMatch }
  /** Tells how the players of a match treat each other; needs no contest. */
  | {
      readonly type: 'encounters'
      readonly game: GameId
      readonly place: MatchPlace
      readonly config: Json
      readonly players: number
    }

/** What a verification found, after how far it has come (`part`: 0 to 1). `gone`: the file could not be read, in words. */
export type VerifyReport =
  | { readonly type: 'part'; readonly part: number }
  | { readonly type: 'verified'; readonly verdict: VerifyVerdict }
  | { readonly type: 'gone'; readonly reason: string }

/** A match to be folded, as far as its history's header, config and outcome say. */
export interface ReadMatch {
  readonly place: MatchPlace
  /** The file is still being written, and will be as long as `place` says. */
  readonly grows: boolean
  readonly game: GameId
  readonly version: number
  readonly config: Json
  readonly seats: readonly Seat[]
  readonly seed: Sha256
}

/** What a viewer is told of a match's events, one after the other. */
export type ReadReport =
  /** What each seat has at the beginning. */
  | { readonly type: 'begin'; readonly levels: readonly number[] }
  /** The next events: columns with a number for each, `levels` with one for each seat of each, seat -1 for nobody. */
  | {
      readonly type: 'events'
      readonly at: Float64Array
      readonly round: Int32Array
      readonly seat: Int32Array
      readonly lines: Int32Array
      readonly levels: Float64Array
      /** `event`: its place in the match. */
      readonly marks: readonly (OutlineMark & { readonly event: number })[]
      readonly restricted: readonly RestrictedEvent[]
    }
  /** The saved state after so many events, as JSON. */
  | { readonly type: 'state'; readonly position: number; readonly text: string }
  /** The end of the match, or why it cannot be folded any further. */
  | { readonly type: 'end'; readonly broken: string | null }

/** `broken`: why there are none, in words. */
export interface EncountersReport {
  readonly type: 'encounters'
  readonly encounters: readonly SeatEncounter[]
  readonly broken: string | null
}

/** A process group of an agent has come, or gone. Those that are left when the worker has ended are ended by main. */
export interface GroupReport {
  readonly type: 'group'
  readonly group: number
  readonly alive: boolean
}

/** What one turn of the worker's event loop had to report, in order: short matches report more often than pays. */
export interface Reports {
  readonly type: 'reports'
  readonly reports: readonly WorkerReport[]
}

/** From a worker that plays to the engine, in order. */
export type WorkerReport =
  | { readonly type: 'ready' }
  /** Whole lines of a run's history. */
  | { readonly type: 'lines'; readonly run: number; readonly text: string }
  | ({ readonly type: 'finished' } & FinishedMatch)
  /** For a remote player of a run. */
  | { readonly type: 'remote'; readonly run: number; readonly post: Post; readonly call: RemoteCall }
  /** For the connection of a post of a run. */
  | { readonly type: 'line'; readonly run: number; readonly place: LinePlace; readonly call: LineCall }
  /** A player's process was killed from outside: nothing of the run counts, it is played again as the same attempt. */
  | { readonly type: 'interrupted'; readonly run: number; readonly reason: string }
  /** A host fault; its record is complete too. */
  | { readonly type: 'void'; readonly run: number; readonly head: Sha256; readonly reason: string }
