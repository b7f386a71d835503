import type { EntrantId } from './ids.ts'

// What a contest's tables say: data, without the functions that make them.

/** Counts of a game's own by their names; see `OutcomeCount`. */
export type Counts = Readonly<Record<string, number>>

/** How such a count is shown. */
export interface CountColumn {
  readonly id: string
  readonly label: string
  /** The title of a column with the score for each one counted. */
  readonly per?: string
}

/** A row of the ladder; see administrator/contests/standings.ts. */
export interface StandingRow {
  readonly agent: EntrantId
  readonly rank: number
  readonly points: number
  readonly matches: number
  readonly wins: number
  readonly faults: number
  readonly removals: number
  readonly score: number
  /** Absent where the game counts nothing of its own. */
  readonly counts?: Counts
  /**
   * In a contest of ordered pairs, whose points are the score: the sessions and scores of each seat, and whether it reached the
   * final, where only sessions with other finalists count.
   */
  readonly session?: {
    readonly bySeat: readonly { readonly sessions: number; readonly score: number }[]
    readonly final: boolean
  }
}

/** Sessions of one ordered pair; lists have a number for each seat. */
export interface PairRow {
  readonly first: EntrantId
  readonly second: EntrantId
  readonly sessions: number
  /** As in StandingRow. */
  readonly counts?: Counts
  readonly score: readonly number[]
  readonly aborts: readonly number[]
}

/** Why an entrant was removed from sessions or left them, and how many. */
export interface RemovalReason {
  readonly agent: EntrantId
  readonly reason: string
  readonly sessions: number
}

/** Tables that a format has beside standings, by their names; rows of a game's own format are for people as they are. */
export interface ContestTables {
  /** Of ordered pairs. */
  readonly pairs?: readonly PairRow[]
  readonly walkedAway?: readonly RemovalReason[]
  readonly [table: string]: readonly object[] | undefined
}

/**
 * Who beat whom: `better[i][j]` matches in which entrant i ended before entrant j, half for level; `met[i][j]`: of so many.
 * All empty where there are more entrants than `DETAIL_MAX`.
 */
export interface HeadToHead {
  readonly names: readonly EntrantId[]
  readonly better: readonly (readonly number[])[]
  readonly met: readonly (readonly number[])[]
  /** `better[i][j]` is what i scored in these matches instead. */
  readonly scores?: true
}
