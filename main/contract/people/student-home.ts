import * as z from 'zod'
import type { CaseId } from '../cases/cases.ts'
import type { ContestId, EntrantId, GameId, MatchNumber, SeatId, Sha256 } from '../ids.ts'
import type { FaultGroup } from '../players/fault-groups.ts'
import type { AgentVersion } from '../procedures/agent-answers.ts'
import type { ContestState } from '../procedures/contest-answers.ts'
import { nothing, procedure } from '../procedures/procedure.ts'
import type { AttemptState } from './hand-in.ts'
import type { Attempts, QueuePlace, TeamDeadline } from './team-procedures.ts'

// The home of a student: the deadlines, the state of the team's agents, the news and the weak points, all computed from the records
// that other screens show, too.

/** A contest, as lists of the home name it. */
interface NamedContest {
  readonly contest: ContestId
  readonly title: string
}

/** A contest for which agents can be handed in. */
export interface DueContest extends NamedContest {
  readonly game: GameId
  readonly deadline: TeamDeadline
}

/** The place of an agent in a contest. */
export interface Placing extends NamedContest {
  readonly rank: number
  /** The number of entrants in the standings. */
  readonly of: number
  /** The number of the version that played; null: the class does not have it any more. */
  readonly version: number | null
  /** False: matches of the contest are still to be played. */
  readonly isOver: boolean
  /** The ruling of a hearing after which this is; absent: there are no rulings. */
  readonly afterRuling?: number
}

/** A part of the matches in which the last version that has played did worse than the one before it. */
export interface WeakPosition {
  /** An opponent's name, a seat with its role, or a map or setting. */
  readonly part: string
  readonly kind: 'opponent' | 'seat' | 'setting'
  /** Points (or the score, where scores count) per match, and the matches of either version. */
  readonly now: { readonly mean: number; readonly matches: number }
  readonly before: { readonly mean: number; readonly matches: number }
  /** The newest contest in which the last version played so. */
  readonly contest: ContestId
  /** The name of the agent in that contest. */
  readonly entrant: EntrantId
}

/** An agent of the team. */
export interface OwnAgent {
  readonly agent: EntrantId
  readonly game: GameId
  readonly newest: AgentVersion
  /** The number of the version that plays for the team in new contests; null: none. */
  readonly plays: number | null
  /** Newest contest first. */
  readonly placings: readonly Placing[]
  /** By version, the newest first; the most frequent first. Versions without faults are left out. */
  readonly faults: readonly { readonly version: number; readonly groups: readonly FaultGroup[] }[]
  /** The numbers of the two versions that are compared; null: fewer than two have played. */
  readonly compared: { readonly now: number; readonly before: number } | null
  /** The largest differences first. */
  readonly weak: readonly WeakPosition[]
}

/** Something that happened. `at`: ISO 8601, UTC. */
export type News = { readonly at: string } & (
  | {
      readonly what: 'hand-in'
      readonly file: string
      /** The name of the member; null: the person at the program's machine. */
      readonly by: string | null
      readonly state: AttemptState
      readonly reason: string | null
    }
  | ({ readonly what: 'extension'; readonly until: string } & NamedContest)
  /** A contest of the class is over. `places`: of the team's agents. */
  | ({ readonly what: 'over'; readonly places: readonly OwnPlace[] } & NamedContest)
  | ({ readonly what: 'announced' } & NamedContest)
  /** A complaint was filed against an agent of the team. */
  | ({ readonly what: 'case'; readonly case: CaseId; readonly agent: EntrantId } & NamedContest)
)
interface OwnPlace {
  readonly agent: EntrantId
  readonly rank: number
  readonly of: number
  /** As in `Placing`. */
  readonly afterRuling?: number
}

/** A contest that is not over, in which agents of the team play. */
export interface ComingMatches extends NamedContest {
  readonly state: ContestState
  /** The first ones of those that are being played or are still to be played; empty before the contest has begun. */
  readonly matches: readonly {
    readonly match: MatchNumber
    readonly agent: EntrantId
    readonly against: readonly EntrantId[]
    readonly isPlaying: boolean
  }[]
}

/** Everything on a student's home, except for the losses, which take time to find. */
export interface StudentHome {
  /** The server's time, ISO 8601, UTC. */
  readonly now: string
  /** null: the caller is in no team; then there are neither agents nor attempts. */
  readonly team: { readonly name: EntrantId } | null
  readonly attempts: Pick<Attempts, 'used' | 'left'> | null
  readonly queue: QueuePlace | null
  /** Those that close first at the top, those without a deadline at the end. */
  readonly due: readonly DueContest[]
  readonly agents: readonly OwnAgent[]
  /** Newest first. */
  readonly news: readonly News[]
  readonly coming: readonly ComingMatches[]
}

/** A loss of a team's agent by one event of a match. */
export interface OwnLoss extends NamedContest {
  readonly agent: EntrantId
  /** The package that played. */
  readonly version: Sha256
  readonly match: MatchNumber
  readonly seat: SeatId
  readonly against: readonly EntrantId[]
  readonly round: number
  /** The event, from 1, and its line, from 1. */
  readonly event: number
  readonly line: number
  /** In the unit of the match's levels, below 0. */
  readonly amount: number
  /** Its part of the seat's large losses in this match, above 0 and at most 1. */
  readonly share: number
}

/** The news since this time; null: of the last week. */
const since = z.strictObject({ since: z.iso.datetime().nullable().default(null) })

/** The procedures of a student's home. */
export const studentProcedures = {
  'student.home': procedure<{ since: string | null }, StudentHome>(since),
  'student.news': procedure<{ since: string | null }, { readonly now: string; readonly news: readonly News[] }>(since),
  /**
   * The largest losses of each of the team's agents, the largest first, in the matches that its last version lost most clearly: these are
   * replayed.
   */
  'student.losses': procedure<z.infer<typeof nothing>, readonly OwnLoss[]>(nothing),
} as const
