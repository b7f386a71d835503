import type { ContestId, EntrantId, GameId, MatchNumber } from '../ids.ts'
import type { ContestDescription } from '../contests/contests.ts'
import type { RuledResults } from '../contests/rulings.ts'
import type { ToolchainDifference } from '../contests/toolchain-differences.ts'
import type { PossibleDecisions } from '../contests/decisions.ts'
import type { ContestArena } from '../players/arena.ts'
import type { GroupsVersion, IsolationTier } from '../limits.ts'
import type { PlayingMatch } from '../game/live-match.ts'
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
import type { ShareRow } from './components.ts'
import type { Rerun, TargetingReport } from './classroom.ts'
import type { SchoolEntrant } from '../contests/entries.ts'

// The results of procedures about contests.

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
  /** The newest ruling of a hearing about it, after which all of its results are. Absent: there is none. */
  readonly afterRuling?: number
  /**
   * The reasons why an open contest cannot be started yet: entries may still be adapted, hand-ins that may play wait
   * for their trials, or the class has not given its phrase. Absent: nothing.
   */
  readonly waitsFor?: 'entries' | 'trials' | 'phrase'
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
  /** The toolchains of which its matches used several versions. */
  readonly toolchains: readonly ToolchainDifference[]
  /** The matches that are being played, except those that have just begun; `DETAIL_MAX` at most. */
  readonly playing: readonly PlayingMatch[]
  /** Best first, `DETAIL_MAX` at most. */
  readonly standings: readonly StandingRow[]
  /** The rulings of hearings, with what they change as it was played; absent: there are none. */
  readonly ruled?: RuledResults<Pick<ContestDetail, 'standings' | 'intervals' | 'ratings' | 'headToHead' | 'tables'>>
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
  /** The decisions that the educator can make about it now; none while it runs. */
  readonly deciding: PossibleDecisions
  /** Until when entries may be adapted, extensions included; null: they are closed, and the agents are those of the draft. */
  readonly entriesUntil: string | null
  /** The contest that it repeats with the same agents and seed; null: it does not. */
  readonly rerun: Rerun | null
  /** The entrants that are entries of other schools; `DETAIL_MAX` at most. */
  readonly schools: readonly SchoolEntrant[]
}

/** A contest's phases, oldest first, and the standings over all of them. */
export interface ContestPhases {
  readonly contests: readonly {
    readonly contest: ContestId
    readonly title: string
    readonly weight: number
    /** The ruling after which its results are; absent: there are no rulings. */
    readonly afterRuling?: number
  }[]
  readonly combined: readonly CombinedRow[]
}

/** The results of a contest so far, for lists of contests. */
export interface ContestResult {
  /** The entrants of the first rank; empty before the first match. */
  readonly leaders: readonly EntrantId[]
  /** In all matches. */
  readonly faults: number
  /** Those that no fault explains. */
  readonly removals: number
  /** Sentences about the entrants that were removed from every match that they have played, with the reason. */
  readonly alwaysRemoved: readonly string[]
}
