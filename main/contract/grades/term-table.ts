import type { Interval } from '../contests/standings.ts'
import type { ContestId, EntrantId, GameId, Sha256 } from '../ids.ts'
import type { TeamId } from '../people/teams.ts'

// The table of the term: all contests that count, by team. It is computed from histories and rulings alone.

/** A contest that counts in the table. */
export interface TermContest {
  readonly contest: ContestId
  readonly title: string
  readonly game: GameId
  /** When it ended, ISO 8601; null: an older version did not record it. */
  readonly ended: string | null
  /** The rows of its standings. */
  readonly entrants: number
  /** The number of its newest ruling, after which it is counted; absent: there is none. */
  readonly afterRuling?: number
  /** False: it has too many entrants for ratings of pairs, and only its points count. */
  readonly isRated: boolean
}

/** A rating over several contests: 400 points more are odds of 10 to 1, and 1,500 is the average of all who played in them. */
export interface TermRating {
  readonly rating: number
  /** 95 %; null: too few matches. */
  readonly interval: Interval | null
}

/** A version of an agent in the contests of the table, rated by all of its matches there. */
export interface TermVersion extends Omit<TermRating, 'rating'> {
  readonly agent: EntrantId
  readonly hash: Sha256
  /** Its number among the versions of its agent; null: the class does not have it. */
  readonly version: number | null
  readonly contests: number
  /** null: the contests have too many versions for ratings, or it played only in those that are not rated. */
  readonly rating: number | null
}

/** The result of a team in one contest. */
export interface TermResult {
  readonly contest: ContestId
  readonly entrant: EntrantId
  readonly rank: number
  readonly of: number
  /** As in the standings of the contest. */
  readonly points: number
  /** The share of the other entrants that are placed behind it, a tie counted as half, in percent. */
  readonly score: number
  /** Rank and points without rulings; absent: no ruling is about the contest. */
  readonly asPlayed?: { readonly rank: number; readonly points: number }
  /** The rating over this and all earlier contests; null: none of them is rated. */
  readonly after: TermRating | null
}

/** `rising`, `falling`: the rating before the newest contest is outside of the interval after it. */
export type Trend = 'rising' | 'falling' | 'steady'

/** A team of the class, or an agent that belongs to none of its teams. */
export interface TermRow extends TermRating {
  /** null: an agent without a team, such as one that ships. */
  readonly team: TeamId | null
  readonly name: string
  /** Among the teams, by points; teams with equal points share it. null: it is not a team. */
  readonly rank: number | null
  /** The sum of the scores of its contests, of which each is 100 at most. */
  readonly points: number
  /** The same without rulings; absent: no contest has a ruling. */
  readonly asPlayed?: { readonly points: number; readonly rating: number }
  readonly matches: number
  /** One a contest that it has played in, oldest first. */
  readonly results: readonly TermResult[]
  /** The version with the highest rating, of those with an interval if any has one; null: none is rated. */
  readonly best: TermVersion | null
  /** The version in its newest contest. */
  readonly latest: TermVersion | null
  /** null: it has played in fewer than two rated contests, or has no interval. */
  readonly trend: Trend | null
}

/** The table of the term: teams by rank, then agents without a team by rating. */
export interface TermTable {
  /** In the order in which they ended. */
  readonly contests: readonly TermContest[]
  readonly rows: readonly TermRow[]
  /** Contests that would count, but whose histories cannot be read. */
  readonly unreadable: readonly ContestId[]
}
