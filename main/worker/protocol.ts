import type { SeatEncounter } from '../contract/game/encounter.ts'
import type { FinishedMatch } from '../contract/contests/finished-match.ts'
import type { Post, Seat } from '../contract/game/table.ts'
import type { OutlineMark, OutlineSwing } from '../contract/game/outline.ts'
import type { RestrictedEvent } from '../contract/procedures/answers.ts'
import type { SeedDerivation } from '../contract/histories/history.ts'
import type { ContestId, EntrantId, GameId, MatchNumber, SeatId, Sha256 } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import type { ClockMode, IsolationTier, Limits } from '../contract/limits.ts'
import type { LiveFrame } from '../contract/game/live-match.ts'
import type { SeatPart } from '../contract/game/match-parts.ts'
import type { LineCall, LineEvent, LinePlace, RemoteCall, RemoteEvent } from '../contract/players/seat-transport.ts'
import type { MatchPlace } from '../histories/segments/match-place.ts'
import type { VerifyVerdict } from '../histories/verify.ts'
import type { ProgramCode } from './program-of-role.ts'
import type { WebAgent } from '../players/web/address.ts'
import type { RemoteAgent } from '../players/remote-player.ts'
import type { OtherAnswerOrder } from './replay/other-answer.ts'

/** The config of a match, and the hash of its canonical text, which is a blob in the history. */
export interface MatchConfig {
  readonly config: Json
  readonly configHash: Sha256
}

/** The facts common to all matches of a contest; sent to each worker once. */
export interface ContestSetup extends MatchConfig {
  readonly contest: ContestId
  /** The hash of the canonical text of the description, which is a blob in the history. */
  readonly contestHash: Sha256
  readonly game: GameId
  /** The configs of the variants that jobs name; absent: there are none. */
  readonly variants?: readonly MatchConfig[]
  readonly limits: Limits
  readonly isolation: IsolationTier
  readonly clock: ClockMode
  /** How the seeds of players are derived. */
  readonly seeds: SeedDerivation
  /** Nobody keeps the histories: lines are reported without chain, header and end. Absent: they are kept. */
  readonly unkept?: true
  /** Matches that a worker plays at a time, each with its own processes. */
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
  /** Its agents get new processes, which are not reused afterwards. */
  readonly fresh: boolean
  /** Seats for which a process killed from outside is a crash, not an interruption. Absent: none. */
  readonly crashing?: readonly SeatId[]
  /** Why the match is void: it is recorded as such and not played. Absent: it is played. */
  readonly voided?: string
  /** Index into the setup's `variants`; absent: the match has the contest's config. */
  readonly variant?: number | undefined
}

/** The config of a job. Throws if the setup has no such variant. */
export function configOfJob(setup: ContestSetup, { variant }: Pick<MatchJob, 'variant'>): MatchConfig {
  const found = variant === undefined ? setup : setup.variants?.[variant]
  if (found === undefined) throw new Error(`the contest has no variant ${variant}`)
  return found
}

/**
 * An agent as a worker needs it: a script's text, decoded as lenient UTF-8; the file of a script, which the worker reads; a
 * program, unpacked in a folder that its user can read; a web application's address; or a remote player.
 */
export type AgentCode = OwnCode | WebAgent | RemoteAgent

/** An agent that this machine runs. */
export type OwnCode = string | ScriptFile | ProgramCode

/** A script as a file of a data folder: the process that sends it never holds its text. */
export interface ScriptFile {
  /** An absolute path. */
  readonly script: string
}

/** True for a script, as a text or as a file. */
export const isScript = (code: AgentCode | undefined): code is string | ScriptFile =>
  typeof code === 'string' || (typeof code === 'object' && 'script' in code)

/** True for a remote player, which this machine does not run. */
export const isRemote = (code: AgentCode | undefined): code is RemoteAgent =>
  typeof code === 'object' && 'remote' in code

/** From the engine to a worker. */
export type WorkerCommand =
  | { readonly type: 'contest'; readonly setup: ContestSetup }
  /** Sent before the first job that needs it. */
  | { readonly type: 'agent'; readonly agent: Sha256; readonly code: AgentCode }
  | { readonly type: 'play'; readonly job: MatchJob }
  /** A message from a remote player of a run. */
  | { readonly type: 'remote'; readonly run: number; readonly post: Post; readonly event: RemoteEvent }
  /** A message from the connection of a post. */
  | { readonly type: 'line'; readonly place: LinePlace; readonly event: LineEvent }
  /** Checks the lines of a run of the contest that another machine has played. */
  | { readonly type: 'check'; readonly job: MatchJob; readonly lines: string }
  /** True while a run is watched, so that frames of it are wanted. */
  | { readonly type: 'watch'; readonly run: number; readonly wanted: boolean }
  /** Verifies an exported match; needs no contest. `key`: the required signing key; null: the key in the file. */
  | { readonly type: 'verify'; readonly file: string; readonly key: string | null }
  /** Replays a match for a viewer; needs no contest. */
  | { readonly type: 'read'; readonly match: ReadMatch }
  /** Replays a match for its swings; needs no contest. One after the other in a process. */
  | { readonly type: 'swings'; readonly match: ReadMatch }
  /** Asks an agent the questions of a finished match; needs no contest. */
  | { readonly type: 'ask-other'; readonly order: OtherAnswerOrder; readonly code: OwnCode }
  | FoldCommand

/** The commands of one turn of the engine's event loop, in order, batched because a worker may be given many short matches at once. */
export interface Commands<C = WorkerCommand> {
  readonly type: 'commands'
  readonly commands: readonly C[]
}

/** The commands of a message from the process that started a worker: one, or those of a batch. */
export const commandsOf = <C extends object>(message: C | Commands<C>): readonly C[] =>
  isBatch(message) ? message.commands : [message]

const isBatch = <C extends object>(message: C | Commands<C>): message is Commands<C> => 'commands' in message

/** The results of folds of a match's history; see the game's analyses. */
export interface Folds {
  readonly encounters: SeatEncounter
  readonly parts: SeatPart
}

/** Folds the history of a match; needs no contest. */
export interface FoldCommand {
  readonly type: 'fold'
  readonly into: keyof Folds
  readonly game: GameId
  readonly place: MatchPlace
  readonly config: Json
  readonly players: number
}

/** The summary of a run's lines. */
export type CheckedRun =
  | { readonly type: 'finished'; readonly finished: FinishedMatch }
  | { readonly type: 'void'; readonly head: string; readonly reason: string }
  | { readonly type: 'bad'; readonly message: string }

/** The verdict on the lines of a run. */
export interface CheckReport {
  readonly type: 'checked'
  readonly run: number
  readonly checked: CheckedRun
}

/**
 * Reports of a verification: its progress (`part`: 0 to 1), then its verdict. `gone`: why the file could not be read.
 */
export type VerifyReport =
  | { readonly type: 'part'; readonly part: number }
  | { readonly type: 'verified'; readonly verdict: VerifyVerdict }
  | { readonly type: 'gone'; readonly reason: string }

/** A match to replay, as described by its history's header, config and outcome. */
export interface ReadMatch {
  readonly place: MatchPlace
  /** The file is still being written, up to the end that `place` gives. */
  readonly grows: boolean
  readonly game: GameId
  readonly version: number
  readonly config: Json
  readonly seats: readonly Seat[]
  readonly seed: Sha256
}

/** Reports of a match's events for a viewer, in order. */
export type ReadReport =
  /** The level of each seat at the beginning. */
  | { readonly type: 'begin'; readonly levels: readonly number[] }
  /**
   * The next events as columns: one number for each event, in `levels` one for each seat of each event; seat -1: none.
   */
  | {
      readonly type: 'events'
      readonly at: Float64Array
      readonly round: Int32Array
      readonly seat: Int32Array
      readonly lines: Int32Array
      readonly levels: Float64Array
      /** `event`: its index in the match. */
      readonly marks: readonly (OutlineMark & { readonly event: number })[]
      /** Those that are among the largest of the match so far. */
      readonly swings: readonly (OutlineSwing & { readonly event: number })[]
      readonly restricted: readonly RestrictedEvent[]
    }
  /** The saved state after `position` events, as JSON. */
  | { readonly type: 'state'; readonly position: number; readonly text: string }
  /** The end of the match, or why it cannot be replayed any further. */
  | { readonly type: 'end'; readonly broken: string | null }

/** A swing at an event of a match, counted from 0, in a round. */
export interface SwingOfMatch extends OutlineSwing {
  readonly event: number
  readonly round: number
}

/** The progress of a replay for its swings, then those that are among the largest up to their event, in order; `unread`: the match could not be read. */
export type SwingsReport =
  | { readonly type: 'replaying' }
  | { readonly type: 'swings'; readonly swings: readonly SwingOfMatch[] }
  | { readonly type: 'unread'; readonly reason: string }

/** The result of a fold; `broken`: the reason why the match could not be folded. */
export interface FoldReport<K extends keyof Folds> {
  readonly type: 'folded'
  readonly items: readonly Folds[K][]
  readonly broken: string | null
}

/** An agent's process group has started or ended. The main process kills groups that outlive the worker. */
export interface GroupReport {
  readonly type: 'group'
  readonly group: number
  readonly alive: boolean
}

/** The reports of one turn of the worker's event loop, in order, batched because short matches send many. */
export interface Reports {
  readonly type: 'reports'
  readonly reports: readonly WorkerReport[]
}

/** From a worker to the engine, in order. */
export type WorkerReport =
  | { readonly type: 'ready' }
  /** Whole lines of a run's history. */
  | { readonly type: 'lines'; readonly run: number; readonly text: string }
  | ({ readonly type: 'finished' } & FinishedMatch)
  /** A run has been played for so long that somebody may want to watch it. */
  | { readonly type: 'begun'; readonly run: number }
  /** A frame of a run that is watched. */
  | { readonly type: 'frame'; readonly run: number; readonly frame: LiveFrame }
  /** For a remote player of a run. */
  | { readonly type: 'remote'; readonly run: number; readonly post: Post; readonly call: RemoteCall }
  /** For the connection of a post of a run. */
  | { readonly type: 'line'; readonly run: number; readonly place: LinePlace; readonly call: LineCall }
  /**
   * A player's process was killed from outside: the run does not count and is played again as the same attempt. `seat`:
   * whose process it was; absent: nobody's.
   */
  | { readonly type: 'interrupted'; readonly run: number; readonly reason: string; readonly seat?: SeatId }
  /** A host fault voided the match; its history is complete. */
  | { readonly type: 'void'; readonly run: number; readonly head: Sha256; readonly reason: string }
