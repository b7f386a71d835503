import type { z } from 'zod'
import type { FinishedMatch } from './finished-match.ts'
import type { EntrantId } from './ids.ts'
import type { Outcome } from './outcome.ts'
import type { ContestTables, HeadToHead, StandingRow } from './standings.ts'

/** Who meets in one match. `entrants`: indices into the description's entrants, in seat order. */
export interface Pairing {
  readonly entrants: readonly number[]
  /** The number of 32 bits that the match's seed begins with, where the format says which scenario is played. */
  readonly scenario?: number
}

/** The matches of a stage in their order; a list is one. Each is made when it is asked for: millions take no memory. */
export interface Pairings {
  readonly length: number
  /** `index`: from 0 to below `length`. */
  at(index: number): Pairing | undefined
}

/** What an entrant has from the matches of one stage. */
export interface EntrantResult {
  /** Matches that count: those that the host has spoilt at every attempt do not. */
  readonly matches: number
  /** As the game gives them; see `GameContests.points`. */
  readonly points: number
  readonly score: number
  readonly wins: number
}

/** A stage that is over, by the entrants' places in the description. */
export type StageResult = readonly EntrantResult[]

/** A contest as a format sees it. */
export interface FormatContest<F> {
  readonly settings: F
  /** How many there are. */
  readonly entrants: number
  /** The contest's, which nobody knows who plays: all chance follows from it. */
  readonly seed: string
}

/** What tables are made for. */
export interface TallyContest<F> {
  readonly settings: F
  /** In the order of the description. */
  readonly names: readonly EntrantId[]
  readonly contests: GameContests
  /** The stages that are over, as far as the contest has come. */
  results(): readonly StageResult[]
}

/** A finished match, as far as tables go. */
export type PlayedMatch = Pick<FinishedMatch, 'entrants' | 'outcome' | 'faults'>

/** A contest's tables, brought up to date match by match. What they say does not depend on the order of the matches. */
export interface Tally {
  /** Counts a match. Every match is to be counted once; entrants that are not of the contest are passed over. */
  add(played: PlayedMatch): void
  /** Best first. Entrants that are level share a rank and keep the order of the description. */
  standings(): readonly StandingRow[]
  /** In the order of the description; without names where there are more than `DETAIL_MAX`. */
  headToHead(): HeadToHead
  /** What the format has beside them. */
  tables(): ContestTables
}

/**
 * A contest format: which matches there are, stage by stage, as a pure function of the entrants, the seed and the results so
 * far. F: its settings. It keeps nothing between calls but what it can compute again, so that a contest which was stopped goes on
 * with the same matches.
 */
export interface ContestFormat<F = unknown> {
  /** Its `type` in a contest's description; of a game's own format its `name`. */
  readonly id: string
  /** Of the description's `format`; of a game's own format of `format.settings`. */
  readonly settings: z.ZodType<F>
  /** Players a match. */
  tableSize(settings: F, entrants: number): number
  /** Why there can be no schedule, in a sentence; null where there can. Too few entrants for a table are found without it. */
  fault?(settings: F, entrants: number): string | null
  /** How many matches each stage has. That much is known before anything is played, whoever will play them. */
  stages(settings: F, entrants: number): readonly number[]
  /** The stage after those that are over: as many matches as `stages` says. `results` is empty before the first. */
  next(contest: FormatContest<F>, results: readonly StageResult[]): Pairings
  /** Its tables, empty. Absent: standings by points. */
  tally?(contest: TallyContest<F>): Tally
}

/** Something that a game's outcomes are counted by, beside points, scores, wins and removals. A column of the standings. */
export interface OutcomeCount {
  /** Its name in the standings' `counts`. */
  readonly id: string
  /** Its column's title. */
  readonly label: string
  /** The title of a column with the score for each one counted; absent: there is none. */
  readonly per?: string
  /** What a match adds to the count of each who played in it. */
  of(outcome: Outcome): number
}

/** What a game says of its contests. What is absent is as usual. */
export interface GameContests {
  /** Formats of its own, beside those that all games have. */
  readonly formats?: readonly ContestFormat[]
  /** Points by the place in `outcome.places`. Usually one for every player left behind, half for every player level with. */
  points?(outcome: Outcome): readonly number[]
  readonly counts?: readonly OutcomeCount[]
}
