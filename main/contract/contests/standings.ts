import type { WithdrawalTreatment } from './decisions.ts'
import type { EntrantId, Sha256 } from '../ids.ts'

// The rows of a contest's tables: data only, without the functions that compute them.

/** The commitment of a contest to its seed, which is made before its start, and what opens it. */
export interface SeedReveal {
  /** SHA-256 of `seed:`, nonce and seed. */
  readonly commitment: Sha256
  /** The phrase that the class gave after entries were closed; null: nothing yet, or the contest asks for no phrase. */
  readonly phrase: string | null
  /** This and the next: null until the contest has ended. */
  readonly seed: string | null
  readonly nonce: Sha256 | null
}

/** Game-specific counts by their ids; see `OutcomeCount`. */
export type Counts = Readonly<Record<string, number>>

/** How a game-specific count is shown. */
export interface CountColumn {
  readonly id: string
  readonly label: string
  /** The title of a column with the score divided by this count. */
  readonly per?: string
}

/** A row of the standings; see services/contests/standings/standings.ts. */
export interface StandingRow {
  readonly agent: EntrantId
  readonly rank: number
  readonly points: number
  readonly matches: number
  readonly wins: number
  readonly faults: number
  readonly removals: number
  /** In the unit of the game's tables, as all scores of tables are. */
  readonly score: number
  /** The entrant has withdrawn, and is treated so; absent: it has not. */
  readonly withdrawn?: WithdrawalTreatment
  /** The entrant entered after the contest had begun; absent: it did not. */
  readonly late?: true
  /** The ruling of a hearing by which the entrant is listed after all others; absent: there is none. */
  readonly removedBy?: number
  /** Rank and points without rulings; absent: there are no rulings. */
  readonly asPlayed?: { readonly rank: number; readonly points: number }
  /** Absent if the game has no counts of its own. */
  readonly counts?: Counts
  /**
   * The last stage that the entrant reached, from 1, to which all other numbers refer; only in contests whose stages
   * eliminate entrants.
   */
  readonly stage?: number
  /**
   * Only in a contest of ordered pairs, where points equal the score unless a ruling gives or takes some: sessions and score in each seat, and whether the
   * entrant reached the final. For finalists only sessions with other finalists count.
   */
  readonly session?: {
    readonly bySeat: readonly { readonly sessions: number; readonly score: number }[]
    readonly final: boolean
  }
}

/** A row of the standings over the phases of a contest; see services/contests/standings/standings.ts. */
export interface CombinedRow {
  readonly agent: EntrantId
  readonly rank: number
  /** The sum of the results by phase, times their weights. */
  readonly points: number
  /** The points of each phase before they are weighted; null: the entrant did not take part in it. */
  readonly byPhase: readonly (number | null)[]
}

/** An entrant's results in all matches that count for it, of whatever stage. */
export type EntrantTotals = Pick<StandingRow, 'agent' | 'matches' | 'wins' | 'faults' | 'removals'>

/** A 95 % confidence interval. */
export type Interval = readonly [low: number, high: number]

/**
 * How strong an entrant is by the ranks of its matches: 400 points more are odds of 10 to 1, and 1,500 is the average
 * of the contest.
 */
export interface EntrantRating {
  readonly rating: number
  /** null: it has played too few matches. */
  readonly interval: Interval | null
  /**
   * The probability that it is stronger than the next in the standings; null: it is the last, or one of them has
   * played too few matches.
   */
  readonly superiority: number | null
}

/** An entrant's results in one seat. */
export interface SeatResult {
  readonly matches: number
  readonly points: number
  readonly score: number
}

/** A row of the standings with its rating. */
export interface RatedRow extends StandingRow, EntrantRating {
  /** By seat. */
  readonly bySeat: readonly SeatResult[]
}

/** An entrant's results in a part of a contest. */
export interface BreakdownRow extends SeatResult {
  readonly agent: EntrantId
  /** The seat, the map or setting, or the numbers of the matches. */
  readonly part: string
  readonly pointsPerMatch: number
}

/** Results by seat, by map or setting where matches differ in it, and over time; empty for more than `DETAIL_MAX` entrants. */
export type Breakdowns = Readonly<Record<string, readonly BreakdownRow[]>>

/** The sessions of one ordered pair; lists have one number for each seat. */
export interface PairRow {
  readonly first: EntrantId
  readonly second: EntrantId
  readonly sessions: number
  /** As in StandingRow. */
  readonly counts?: Counts
  readonly score: readonly number[]
  readonly aborts: readonly number[]
}

/** A reason for which an entrant was removed from sessions or left them, and the number of these sessions. */
export interface RemovalReason {
  readonly agent: EntrantId
  readonly reason: string
  readonly sessions: number
}

/** Tables of a format besides the standings, by name; rows of a game's own format are shown to people unchanged. */
export interface ContestTables {
  /** Only in a contest of ordered pairs. */
  readonly pairs?: readonly PairRow[]
  readonly walkedAway?: readonly RemovalReason[]
  readonly [table: string]: readonly object[] | undefined
}

/**
 * Results of each entrant against each other. `better[i][j]`: matches in which entrant i placed before entrant j, a tie
 * counted as half; `met[i][j]`: matches that both played. All lists are empty for more than `DETAIL_MAX` entrants.
 */
export interface HeadToHead {
  readonly names: readonly EntrantId[]
  readonly better: readonly (readonly number[])[]
  readonly met: readonly (readonly number[])[]
  /** If set, `better[i][j]` is the score of i in these matches instead. */
  readonly scores?: true
}
