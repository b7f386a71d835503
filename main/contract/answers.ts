import type { AgentManifest } from './agents.ts'
import type { ContestArena } from './arena.ts'
import type { ClassSettings, TargetingReport } from './classroom.ts'
import type { ContestDescription } from './contests.ts'
import type { Fault } from './faults.ts'
import type { Audience, OutlineMark } from './game.ts'
import type { MatchFacts } from './history.ts'
import type { ContestId, EntrantId, GameId, MatchNumber, SeatId, Sha256 } from './ids.ts'
import type { Json } from './json.ts'
import type { IsolationTier } from './limits.ts'
import type { Outcome } from './outcome.ts'
import type { CountColumn, HeadToHead, StandingRow } from './standings.ts'
import type { Signer } from './trusted-keys.ts'

export type * from './standings.ts'

// What procedures answer with: data of ours, which is only typed.

/**
 * A part of a long list. `total` counts what the filter lets through. Where items are large there are fewer than were asked
 * for, at least one: the next page begins at `offset + items.length`.
 */
export interface Page<T> {
  readonly items: readonly T[]
  readonly offset: number
  readonly total: number
}

export interface AgentSummary {
  readonly name: EntrantId
  readonly game: GameId
  readonly kind: AgentManifest['kind']
  /** Newest first; contests take the one that is active under their policy. */
  readonly versions: readonly AgentVersion[]
  /** Faults in all recorded matches, and removals that no fault tells of; host faults not counted. */
  readonly faults: number
}

export interface AgentVersion {
  readonly agent: Sha256
  /** Whose it is; the agent's name where it says nothing. */
  readonly team: string
  /** The policies that it is meant for, as its package names them; null: any. */
  readonly policies: readonly string[] | null
  /** The bits of those under which it is its team's one agent: `010`. */
  readonly active: readonly string[]
  /** ISO 8601, UTC. */
  readonly submitted: string
  /** Verdict of the smoke match; null: there is none. */
  readonly smoke: { readonly ok: boolean; readonly text: string } | null
  /** Without a verdict: the smoke match is played or waits, or why it could not be played. null: nobody has tried. */
  readonly trial: 'playing' | { readonly trouble: string } | null
}

/** A file that could be handed in. */
export interface LookedAt {
  /** What its agent.json, else its file's name, calls the agent. */
  readonly name: EntrantId
  /** Hash of its package; null: it is known only when it has been bundled or built. */
  readonly agent: Sha256 | null
  /** Agents of the class that have the very same bytes. */
  readonly same: readonly EntrantId[]
}

/** The contests in which an agent takes part. */
export interface TakesPart {
  /** Those that are not over. */
  readonly open: readonly { readonly contest: ContestId; readonly title: string }[]
  /** How many are over. */
  readonly over: number
}

/** One fault of an agent, or its removal where no fault tells why, with the place to look at. */
export interface AgentFault {
  readonly contest: ContestId
  /** The contest's. */
  readonly title: string
  readonly match: MatchNumber
  readonly seat: SeatId
  readonly what:
    | {
        /** ms on the match clock. */
        readonly at: number
        readonly fault: Fault
      }
    /** Why it was removed. */
    | { readonly removal: string }
}

/** What an agent printed in one match, in order. */
export interface AgentConsole {
  readonly contest: ContestId
  /** The contest's. */
  readonly title: string
  readonly match: MatchNumber
  readonly text: string
}

export interface ChallengeSummary {
  readonly name: string
  readonly title: string
  /** Markdown, for students. */
  readonly text: string
  /** Of this class, which may change it; the others come with Tartaglia. */
  readonly own: boolean
  /** Why it is only a draft, which no contest takes: the first thing wrong, with its place. null: it can be played. */
  readonly problem: string | null
  /** Of its file: changes with every character. */
  readonly version: Sha256
}

/** A challenge with its file. */
export type ChallengeDetail = ChallengeSummary & { readonly source: string }

/**
 * `open`: it can be started, or gone on with. `gathering`: it waits for agents of other machines, while others run. `queued`:
 * it begins when the one that runs has ended; one runs at a time.
 */
export type ContestState = 'open' | 'gathering' | 'queued' | 'running' | 'ended' | 'cancelled'

export interface ContestSummary {
  readonly contest: ContestId
  readonly title: string
  readonly game: GameId
  readonly state: ContestState
  readonly entrants: number
  readonly progress: ContestProgress
}

export interface ContestProgress {
  readonly done: number
  readonly total: number
  /** null: unknown, or not running. */
  readonly msLeft: number | null
}

export interface ContestDetail {
  /** `entrants`: how many there are. */
  readonly summary: ContestSummary
  /** Its entrants are the first `DETAIL_MAX`. */
  readonly draft: ContestDescription
  /**
   * Entrants that are not among the class's agents by their own names, and which agent each is; null: none, as a person or one
   * that has come with Tartaglia. `DETAIL_MAX` at most.
   */
  readonly otherwise: readonly { readonly entrant: EntrantId; readonly agent: EntrantId | null }[]
  /** Where agents of other machines connect; null: there are none in it. */
  readonly arena: ContestArena | null
  /** The tier in use, or that was used last; null before the first run. */
  readonly isolation: IsolationTier | null
  /** Best first, `DETAIL_MAX` at most. */
  readonly standings: readonly StandingRow[]
  readonly headToHead: HeadToHead
  /** What the game counts of its outcomes, as columns of the standings. */
  readonly countColumns: readonly CountColumn[]
  readonly voided: readonly MatchNumber[]
  /** Sentences for the educator, newest last: repairs, void matches, why it stopped. */
  readonly notices: readonly string[]
  /** Of a contest that has ended and in which nobody may treat others differently; null: there is none. */
  readonly targeting: TargetingReport | null
}

export interface MatchSummary {
  readonly contest: ContestId
  /** The contest's. */
  readonly title: string
  readonly match: MatchNumber
  readonly seats: readonly {
    readonly name: EntrantId
    /** Which of the class's agents it is, by name; null: none, as a person. */
    readonly agent: EntrantId | null
    readonly rank: number
    readonly removed: boolean
  }[]
  readonly faults: number
}

export interface MatchDetail {
  /** What the file was called that it was opened from; null: it is of a contest of this class. */
  readonly fileName: string | null
  readonly facts: MatchFacts
  /** The game's config, complete: with facts.seats and `seed` all that its rules start from. */
  readonly config: Json
  readonly seed: Sha256
  readonly outcome: Outcome
  /** Of a long match that has not been looked through yet: as many as there can be. `matches.outline` finds their end. */
  readonly events: number
}

/** A line of a match's history that a viewer shows or folds. `n`: its place in the run. */
export type MatchEvent = { readonly n: number; readonly at: number } &
  /** `audience`: who could read it while the match ran; absent: everybody. */
  (
    | { readonly kind: 'input'; readonly input: Json; readonly audience?: Audience }
    | { readonly kind: 'fault'; readonly seat: SeatId; readonly fault: Fault }
    | { readonly kind: 'console'; readonly seat: SeatId; readonly text: string }
  )

/** An event, by its place in the match, and who could read it while the match ran. */
export interface RestrictedEvent {
  readonly event: number
  readonly audience: Audience
}

/**
 * A match's events as numbers, for lists and pictures of the whole match; the program gathers them by folding the match, which
 * takes a while for a long one. One each for the events from `from` on.
 */
export interface OutlinePage {
  readonly from: number
  /** ms on the match clock. */
  readonly at: readonly number[]
  readonly round: readonly number[]
  /** -1: nobody's. */
  readonly seat: readonly number[]
  /** Lines that it takes to tell it, 1 at least. */
  readonly lines: readonly number[]
  /** What each seat has after it: as many numbers for each event as there are seats. */
  readonly levels: readonly number[]
  readonly marks: readonly (OutlineMark & { readonly event: number })[]
  /** Those of these events that not everybody could read while the match ran. */
  readonly restricted: readonly RestrictedEvent[]
  /** What each seat has at the beginning. */
  readonly initial: readonly number[]
  /** Positions behind `from`, up to that of the last of these events, of which there is a saved state. */
  readonly states: readonly number[]
  /** Nothing follows these events: the match ends, or cannot be folded any further for what `broken` says. */
  readonly last: boolean
  readonly broken: string | null
}

export interface Finding {
  readonly name: string
  readonly verdict: 'good' | 'weak' | 'bad'
  readonly text: string
  readonly advice?: string
}

export interface TierFinding {
  readonly tier: IsolationTier
  readonly available: boolean
  readonly text: string
  readonly command: string | null
}

export interface Overview {
  readonly agents: number
  readonly contests: readonly ContestSummary[]
  /** What wants the educator, most urgent first; `link` is a screen's address such as `#/contests/x-1`. */
  readonly attention: readonly { readonly text: string; readonly link: string }[]
}

/** What a verification says to people. A history is genuine if it is `ok` and its signer is known. */
export type HistoryVerdict =
  | {
      readonly ok: true
      readonly contest: ContestId
      readonly match: MatchNumber
      readonly signer: Signer
      readonly replayed: boolean
      /** What was checked, a sentence each; then what was not. */
      readonly checked: readonly string[]
      readonly notes: readonly string[]
    }
  | { readonly ok: false; readonly line: number; readonly message: string }

export interface Settings extends ClassSettings {
  readonly dataFolder: string
  /** The line that verifies this class's histories. */
  readonly publicKey: string
}
