import type { AgentManifest } from '../players/agents.ts'
import type { ContestArena } from '../players/arena.ts'
import type { ClassSettings, Rerun, TargetingReport } from './classroom.ts'
import type { ShareRow } from './components.ts'
import type { ContestDescription } from '../contests/contests.ts'
import type { EntrySchool, SchoolEntrant } from '../contests/entries.ts'
import type { Fault } from '../faults.ts'
import type { Audience } from '../game/game.ts'
import type { OutlineMark, OutlineSwing } from '../game/outline.ts'
import type { MatchFacts } from '../histories/history.ts'
import type { ContestId, EntrantId, GameId, MatchNumber, SeatId, Sha256 } from '../ids.ts'
import type { Json } from '../json.ts'
import type { PlayingMatch } from '../game/live-match.ts'
import type { GroupsVersion, IsolationTier } from '../limits.ts'
import type { Outcome } from '../game/outcome.ts'
import type { Reveal } from '../players/sources.ts'
import type {
  CombinedRow,
  ContestTables,
  CountColumn,
  EntrantRating,
  HeadToHead,
  Interval,
  SeedReveal,
  StandingRow,
} from '../contests/standings.ts'
import type { Signer } from '../histories/trusted-keys.ts'

export type * from '../contests/standings.ts'

// The results of procedures. They come from trusted code, so they are typed and not parsed.

/**
 * A part of a long list. `total`: the number of items that match the filter. Pages of large items may be shorter than
 * requested but not empty: the next page begins at `offset + items.length`.
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

/** A shipped agent whose code much of an agent's code is like. */
export interface SimilarAgent {
  readonly name: EntrantId
  /**
   * From 0 to 1: the share of the agent's own code that is also the shipped one's, or that of the shipped one's code that
   * is in the agent, whichever is larger.
   */
  readonly share: number
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

export interface ChallengeSummary {
  readonly name: string
  readonly title: string
  /** Markdown, for students. */
  readonly text: string
  /** True if it belongs to the class, which can edit it; the others ship with Tartaglia. */
  readonly own: boolean
  /** The first problem and its place, if the challenge is a draft, which contests refuse. null: it can be played. */
  readonly problem: string | null
  /** SHA-256 of its file. */
  readonly version: Sha256
}

/** A challenge with its file. */
export type ChallengeDetail = ChallengeSummary & { readonly source: string }

/**
 * `open`: it can be started or resumed. `gathering`: it waits for agents on other machines; other contests may run.
 * `queued`: it begins when the running contest has ended; one runs at a time.
 */
export type ContestState = 'open' | 'gathering' | 'queued' | 'running' | 'ended' | 'cancelled'

export interface ContestSummary {
  readonly contest: ContestId
  readonly title: string
  readonly game: GameId
  readonly state: ContestState
  readonly entrants: number
  readonly progress: ContestProgress
  /** When it was added, ISO 8601; null: not recorded. */
  readonly added: string | null
  /** True if a person plays in it. */
  readonly person: boolean
  /** Its results count for nothing else. Absent: they do. */
  readonly practice?: true
  /** It is over and left out of lists. Absent: it is not. */
  readonly archived?: true
  /**
   * The reasons why an open contest cannot be started yet: entries may still be adapted, or the class has not given its
   * phrase. Absent: nothing.
   */
  readonly waitsFor?: 'entries' | 'phrase'
}

/** The deletion of a contest, before it is done. */
export interface Deletion {
  /** In sentences. */
  readonly consequences: readonly string[]
  /** Why it cannot be deleted now; null: it can. */
  readonly refusal: string | null
}

export interface ContestProgress {
  readonly done: number
  readonly total: number
  /** null: unknown, or not running. */
  readonly msLeft: number | null
}

export interface ContestDetail {
  /** `entrants`: the number of all entrants. */
  readonly summary: ContestSummary
  /** Contains only the first `DETAIL_MAX` entrants. */
  readonly draft: Omit<ContestDescription, 'seed'>
  /**
   * Entrants whose name is not that of an agent of the class, and the agent that each is; null: none, such as a person
   * or an agent that ships with Tartaglia. `DETAIL_MAX` at most.
   */
  readonly renamed: readonly { readonly entrant: EntrantId; readonly agent: EntrantId | null }[]
  /** The addresses for agents on other machines; null: the contest has none. */
  readonly arena: ContestArena | null
  /** The tier in use or used last; null before the first run. */
  readonly isolation: IsolationTier | null
  /** The control groups of the last match; null: none has been played, or an older version played it. */
  readonly groups: GroupsVersion | null
  /** The matches that are being played, except those that have just begun; `DETAIL_MAX` at most. */
  readonly playing: readonly PlayingMatch[]
  /** Best first, `DETAIL_MAX` at most. */
  readonly standings: readonly StandingRow[]
  /** The standings of teams with shares for components, `DETAIL_MAX` at most; absent: the contest has no share. */
  readonly shares?: readonly ShareRow[]
  /** Uncertainties of the points per match, by the rows of `standings`; null: too few matches, or the format has none. */
  readonly intervals: readonly (Interval | null)[]
  readonly reveal: SeedReveal
  /** By the rows of `standings`. While the contest runs they may be those of a tenth fewer matches. */
  readonly ratings: readonly EntrantRating[]
  readonly headToHead: HeadToHead
  /** The tables of a game's own format, by their titles; `DETAIL_MAX` rows of each at most. */
  readonly tables: ContestTables
  /** The game's own counts, as columns of the standings. */
  readonly countColumns: readonly CountColumn[]
  readonly voided: readonly MatchNumber[]
  /** Messages for the educator, newest last: repairs, void matches, why the contest stopped. */
  readonly notices: readonly string[]
  /** Only for a finished contest whose policy forbids treating others differently; null: none. */
  readonly targeting: TargetingReport | null
  /** The phases up to this contest; null: there is none before it. */
  readonly phases: ContestPhases | null
  /** The contest that is the next phase; null: there is none. */
  readonly followedBy: ContestId | null
  /** Until when entries may be adapted; null: they are closed, and the agents are those of the draft. */
  readonly entriesUntil: string | null
  /** The contest that it repeats with the same agents and seed; null: it does not. */
  readonly rerun: Rerun | null
  /** The entrants that are entries of other schools; `DETAIL_MAX` at most. */
  readonly schools: readonly SchoolEntrant[]
}

/** A contest's phases, oldest first, and the standings over all of them. */
export interface ContestPhases {
  readonly contests: readonly { readonly contest: ContestId; readonly title: string; readonly weight: number }[]
  readonly combined: readonly CombinedRow[]
}

export interface MatchSummary {
  readonly contest: ContestId
  /** The contest's. */
  readonly title: string
  /** The contest is practice; absent: it counts. */
  readonly practice?: true
  readonly match: MatchNumber
  readonly seats: readonly {
    readonly name: EntrantId
    /** The name of the class's agent that it is; null: none, such as a person. */
    readonly agent: EntrantId | null
    readonly rank: number
    /** In the unit of the game's tables. */
    readonly score: number
    readonly removed: boolean
  }[]
  readonly faults: number
  /** True if it was found genuine; null: it was not verified since this classroom was opened, or has changed since. */
  readonly genuine: boolean | null
}

/** Filters for lists of histories. */
export interface HistoryFacets {
  /** Games that were played, and what their matches were about, such as the names of challenges. */
  readonly games: readonly { readonly game: GameId; readonly subjects: readonly string[] }[]
  /** Names of those who played, at most 1,000. */
  readonly players: readonly EntrantId[]
}

/** The result of verifying many histories. */
export interface VerifiedMany {
  readonly genuine: number
  /**
   * Those that are not genuine or could not be verified, with the reason; at most 100. `match` is null if none of the
   * contest's histories could be looked up: they count as one.
   */
  readonly bad: readonly { readonly contest: ContestId; readonly match: MatchNumber | null; readonly message: string }[]
  /** The number of all those. */
  readonly others: number
}

/** The results of a contest so far, for lists of contests. */
export interface ContestResult {
  /** The entrants of the first rank; empty before the first match. */
  readonly leaders: readonly EntrantId[]
  /** In all matches. */
  readonly faults: number
  /** Those that no fault explains. */
  readonly removals: number
}

export interface MatchDetail {
  /** The name of the opened file; null: the match belongs to a contest of this class. */
  readonly fileName: string | null
  readonly facts: MatchFacts
  /** The complete config; with facts.seats and `seed` it determines the initial state of the rules. */
  readonly config: Json
  readonly seed: Sha256
  readonly outcome: Outcome
  /**
   * The number of events; an upper bound for a long match that is not indexed yet (`matches.outline` finds the end).
   */
  readonly events: number
}

/** A line of a match's history that a viewer shows or applies. `n`: its place in the run. */
export type MatchEvent = { readonly n: number; readonly at: number } &
  /** `audience`: who could read it while the match ran; absent: everybody. */
  (
    | { readonly kind: 'input'; readonly input: Json; readonly audience?: Audience }
    | { readonly kind: 'fault'; readonly seat: SeatId; readonly fault: Fault }
    | { readonly kind: 'console'; readonly seat: SeatId; readonly text: string }
  )

/** An event, by its index in the match, and who could read it while the match ran. */
export interface RestrictedEvent {
  readonly event: number
  readonly audience: Audience
}

/**
 * The events of a match from `from` on as parallel lists of numbers, for event lists and charts. The program computes
 * them by replaying the match, which takes a while for a long one.
 */
export interface OutlinePage {
  readonly from: number
  /** ms on the match clock. */
  readonly at: readonly number[]
  readonly round: readonly number[]
  /** -1: none. */
  readonly seat: readonly number[]
  /** Number of lines that the event needs in a list, at least 1. */
  readonly lines: readonly number[]
  /** The level of each seat after each event: one number for each seat, event by event. */
  readonly levels: readonly number[]
  readonly marks: readonly (OutlineMark & { readonly event: number })[]
  /** Those that are among the largest of the match up to these events. */
  readonly swings: readonly (OutlineSwing & { readonly event: number })[]
  /** Those of these events that were not public while the match ran. */
  readonly restricted: readonly RestrictedEvent[]
  /** The level of each seat at the beginning. */
  readonly initial: readonly number[]
  /** Positions after `from`, up to that of the last of these events, for which there is a saved state. */
  readonly states: readonly number[]
  /** No events follow: the match ends here, or it cannot be replayed any further and `broken` gives the reason. */
  readonly last: boolean
  readonly broken: string | null
}

/** The result of one check. `weak`: works with limitations. `bad`: contests cannot run. */
export interface DoctorFinding {
  readonly name: string
  readonly verdict: 'good' | 'weak' | 'bad'
  /** One sentence, or a value. */
  readonly text: string
  /** A remedy, in a sentence. */
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
  /** Matters for the educator, most urgent first; `link` is a screen's address such as `#/contests/x-1`. */
  readonly attention: readonly { readonly text: string; readonly link: string }[]
}

/** The result of a verification as shown to people. A history is genuine if it is `ok` and its signer is known. */
export type HistoryVerdict =
  | {
      readonly ok: true
      readonly contest: ContestId
      readonly match: MatchNumber
      readonly signer: Signer
      readonly replayed: boolean
      /** The seats whose agents are entries of other schools, by the signed statements of these. */
      readonly entries: readonly VerifiedEntry[]
      /** The checks that passed, one sentence each; `notes`: those that could not be made. */
      readonly checked: readonly string[]
      readonly notes: readonly string[]
    }
  | Refuted

/** A seat whose agent a school has entered: it signed a statement about the very package that played. */
export interface VerifiedEntry {
  readonly seat: SeatId
  /** The entrant's name in the contest. */
  readonly name: EntrantId
  /** The school's name of the agent, and of itself. */
  readonly pseudonym: EntrantId
  readonly school: string
  readonly agent: Sha256
  /** When the school had got this version, ISO 8601. */
  readonly submitted: string
  /** The owner of the key; without a name here, nothing is proven. */
  readonly signer: Signer
}

/** A history that is not genuine. All of its texts are from a file that nobody vouches for. */
export interface Refuted {
  readonly ok: false
  /** The first bad line, from 1; one after the last line if something is missing at the end. */
  readonly line: number
  readonly message: string
  /** Two values that differ: the one that follows from the rest of the file or from the rules, and that of the line. */
  readonly expected?: string
  readonly found?: string
  /** The number of the match's events up to and including this line, at which viewers show it. */
  readonly events: number
  /** The beginning of the line; null: the file ends before it. */
  readonly text: string | null
}

export interface Settings extends ClassSettings {
  readonly dataFolder: string
  /** The public key that verifies this class's histories, as one line of text. */
  readonly publicKey: string
}
