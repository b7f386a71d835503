import type { ContestId, EntrantId, GameId, MatchNumber, SeatId, Sha256 } from '../ids.ts'
import type { AgentManifest } from '../players/agents.ts'
import type { EntrySchool } from '../contests/entries.ts'
import type { HandInRecord, InactiveState } from '../people/hand-in.ts'
import type { Reveal } from '../players/sources.ts'
import type { Fault } from '../faults.ts'

// The results of procedures about agents.

export interface AgentSummary {
  readonly name: EntrantId
  readonly game: GameId
  readonly kind: AgentManifest['kind']
  /** The school whose entry it is; null: it was handed in here. */
  readonly school: EntrySchool | null
  /** Newest first; a contest uses the version that is active under its policy. */
  readonly versions: readonly AgentVersion[]
  /** Faults in all recorded matches, and removals that no fault explains; host faults not counted. */
  readonly faults: number
}

export interface AgentVersion {
  readonly agent: Sha256
  /** Its number, from 1; handing it in again does not change it. */
  readonly number: number
  /** The team's name; by default the agent's name. */
  readonly team: string
  /** The policies that it is meant for, as its package names them; null: any. */
  readonly policies: readonly string[] | null
  /** Packages that it needs on the machine, as it lists them; absent: it lists none. */
  readonly packages?: readonly string[]
  /** The bits of the policies under which it is the active agent of its team, such as `010`. */
  readonly active: readonly string[]
  /** Why it does not play, whatever was handed in when; absent: it may be its team's active agent. See `versionState`. */
  readonly inactive?: InactiveState
  /** For a paused one: why, for its team. */
  readonly pausedFor?: string
  /** How its team handed it in; absent: the educator did. */
  readonly handIn?: Pick<HandInRecord, 'receipt' | 'contest' | 'time' | 'note'> & {
    /** null: it was for no contest, or the contest was deleted. */
    readonly contestTitle: string | null
  }
  /** ISO 8601, UTC. */
  readonly submitted: string
  /** Verdict of the smoke match; null: there is none. */
  readonly smoke: { readonly ok: boolean; readonly text: string } | null
  /** If there is no verdict: the smoke match is running or queued, or why it could not be played. null: never tried. */
  readonly trial: 'playing' | { readonly problem: string } | null
  /** When its source becomes public; absent: never. */
  readonly reveal?: Reveal
}

/** A file that could be handed in. */
export interface LookedAt {
  /** The agent's name from its agent.json, otherwise from its file's name. */
  readonly name: EntrantId
  /** Hash of its package; null: it will be known after bundling or building. */
  readonly agent: Sha256 | null
  /** Agents of the class with identical packages. */
  readonly same: readonly EntrantId[]
}

/** An agent, shipped or of the class, whose code much of an agent's code is like. */
export interface SimilarAgent {
  readonly name: EntrantId
  /**
   * From 0 to 1: the share of the agent's own code that is also the other one's, or that of the other one's code that is in
   * the agent, whichever is larger.
   */
  readonly share: number
}

/** Two agents of different teams, much of whose own code is the same. It accuses neither. */
export interface SimilarPair {
  readonly names: readonly [EntrantId, EntrantId]
  /** The earlier class of the second one; absent: both are of this class. */
  readonly earlier?: string
  /** As in `SimilarAgent`, in either direction. */
  readonly share: number
  /** True if their packages are the very same bytes. */
  readonly same: boolean
}

/** A passage that two codes have in common: in each, the index of its file and its characters. */
export type CodePassage = readonly [CodeSpan, CodeSpan]
interface CodeSpan {
  readonly file: number
  readonly from: number
  readonly to: number
}

/** The code of two agents side by side, with what they have in common marked. */
export interface ComparedCode {
  readonly sides: readonly [readonly CodeText[], readonly CodeText[]]
  /** In the order of the first code. */
  readonly passages: readonly CodePassage[]
}
interface CodeText {
  readonly path: string
  readonly text: string
}

/** The contests in which an agent takes part. */
export interface TakesPart {
  /** Unfinished contests. */
  readonly open: readonly { readonly contest: ContestId; readonly title: string }[]
  /** The number of finished contests. */
  readonly over: number
}

/** The results of an agent in all contests. */
export interface AgentResults {
  /** Most matches first. */
  readonly opponents: readonly OpponentResult[]
  /** Newest first; only versions that have played. */
  readonly versions: readonly VersionResult[]
}

export interface OpponentResult {
  /** The name of the class's agent; in its absence that of the entrant. */
  readonly opponent: EntrantId
  /** null: not an agent of the class, such as a person. */
  readonly agent: EntrantId | null
  readonly matches: number
  /** Matches in which ranks count, and in how many of them it placed before the opponent, a tie counted as half. */
  readonly ranked: number
  readonly ahead: number
  /** Matches in which scores count, and its score in them. */
  readonly scored: number
  readonly score: number
}

export interface VersionResult {
  readonly agent: Sha256
  readonly matches: number
  readonly wins: number
  readonly faults: number
  readonly removals: number
}

/** One fault of an agent, or its removal if no fault explains it, and where it happened. */
export interface AgentFault {
  readonly contest: ContestId
  /** The contest's. */
  readonly title: string
  readonly match: MatchNumber
  readonly seat: SeatId
  /** The version that played. */
  readonly agent: Sha256
  readonly what:
    | {
        /** ms on the match clock. */
        readonly at: number
        readonly fault: Fault
      }
    /** Why it was removed. */
    | { readonly removal: string }
}

/** The output of an agent in one match, in order. */
export interface AgentConsole {
  readonly contest: ContestId
  /** The contest's. */
  readonly title: string
  readonly match: MatchNumber
  readonly text: string
}
