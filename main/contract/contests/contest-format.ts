import type * as z from 'zod'
import type { FinishedMatch } from './finished-match.ts'
import type { WithdrawalTreatment } from './decisions.ts'
import type { EntrantId, SeatId } from '../ids.ts'
import type { Json } from '../json.ts'
import type { Outcome } from '../game/outcome.ts'
import type { ContestTables, EntrantTotals, HeadToHead, Interval, StandingRow } from './standings.ts'

/** The pairing of one match. `entrants`: indices into the description's entrants, in seat order. */
export interface Pairing {
  readonly entrants: readonly number[]
  /** The first 32 bits of the match's seed, if the format determines the scenario. */
  readonly scenario?: number
  /** Index into the format's `variants`; absent: the match has the contest's config. */
  readonly variant?: number
}

/** The matches of a stage in order; an array is one. Pairings are computed on request, so millions take no memory. */
export interface Pairings {
  readonly length: number
  /** `index`: from 0 to below `length`. */
  at(index: number): Pairing | undefined
  /** Those of the pairing's entrants for whom the match does not count, so that all play equally many. Absent: none. */
  extras?(index: number): readonly number[]
  /**
   * The unit of a match, if seats are swapped: the matches of a unit are the same entrants' in other seats, and
   * statistics count them as one observation. Absent, or undefined: the match is a unit of its own.
   */
  unit?(index: number): PairingUnit | undefined
}

export interface PairingUnit {
  /** Unique within the stage. */
  readonly id: number
  /** The number of its matches. */
  readonly size: number
}

/** An entrant's result in one stage. */
export interface EntrantResult {
  /** Matches that count; matches that were voided in every attempt do not. */
  readonly matches: number
  /** See `GameContests.points`. */
  readonly points: number
  readonly score: number
  readonly wins: number
}

/** Values for some fields of a config. */
export type ConfigPatch = Readonly<Record<string, Json>>

/** The result of a finished stage, by the entrants' indices in the description. */
export type StageResult = readonly EntrantResult[]

/**
 * The field of a contest about which the educator has decided something: who plays from when to when, and rounds that
 * the educator paired. Stages count from 0, entrants by their indices.
 */
export interface ContestField {
  /** The number of entrants of the description; those after them entered late. */
  readonly initial: number
  /** The first stage that a decision can have changed. */
  readonly changedFrom: number
  /** The first stage of each entrant; 0 for those of the description. */
  readonly joined: readonly number[]
  /** The first stage in which an entrant does not play any more; Infinity: it has not withdrawn. */
  readonly left: readonly number[]
  /** The number of the decision by which an entrant withdrew, in their order; Infinity: it has not withdrawn. */
  readonly leftBy: readonly number[]
  /** The stages that the educator paired. */
  readonly paired: ReadonlyMap<number, PairedByHand>
  /** True for a match of a stage that is not played, because one of its entrants has withdrawn. */
  unplayed(stage: number, index: number): boolean
}

/** A round that the educator paired: its tables in seat order, and those with a bye. */
export interface PairedByHand {
  readonly tables: readonly (readonly number[])[]
  readonly byes: readonly number[]
}

/** A contest as a format sees it. */
export interface FormatContest<F> {
  readonly settings: F
  /** The number of entrants, with those that entered late. */
  readonly entrants: number
  /** Absent: the educator has decided nothing. */
  readonly field?: ContestField | undefined
  /** The contest's secret seed, from which all randomness is derived. */
  readonly seed: string
  /** See `Outcomes`; there are none unless the format has `readsOutcomes`. */
  readonly outcomes: Outcomes
}

/**
 * The outcomes of finished stages match by match, for formats that need more than sums, such as who was removed in which
 * game. null: the match was void in every attempt.
 */
export type Outcomes = (stage: number, index: number) => Outcome | null

/** How rulings of hearings change what the tables of a contest count. */
export interface RuledTally {
  /** The points that they give or take, by entrant. */
  readonly points: readonly number[]
  /** True if they annul matches, so that some entrants have fewer than others. */
  readonly annuls: boolean
  /** As in `TallyContest`, as it was played: who met whom, and who went on, follows from this. */
  results(): readonly StageResult[]
  soFar(): readonly StageResult[]
  readonly outcomes: Outcomes
}

/** A contest as its tables see it. Results and outcomes are those that count. */
export interface TallyContest<F> {
  readonly settings: F
  /** In the order of the description. */
  readonly names: readonly EntrantId[]
  /** See `FormatContest.field`. */
  readonly field?: ContestField | undefined
  readonly contests: GameContests
  /** As in `FormatContest`. */
  readonly seed: string
  /** The results of the stages finished so far. */
  results(): readonly StageResult[]
  /** The pairings of the stages that have begun. */
  pairings(): readonly Pairings[]
  /** The same and, as the last, what is known of the stage that is being played. */
  soFar(): readonly StageResult[]
  /** See `FormatContest.outcomes`. */
  readonly outcomes: Outcomes
  /** Absent: everything counts as it was played. */
  readonly ruled?: RuledTally | undefined
  /** The tables of a format without its own, empty. */
  usual(): Tally
}

/** The parts of a finished match that tables use. */
export interface PlayedMatch extends Pick<FinishedMatch, 'entrants' | 'outcome' | 'faults'> {
  /** The stage to which it belongs, from 0. */
  readonly stage: number
  /** See `Pairings.extras`. */
  readonly extras: readonly number[]
  /** Matches with equal numbers are of one unit (see `Pairings.unit`); statistics count them as one observation. */
  readonly unit: number
}

/** A contest's tables, updated match by match. Their contents do not depend on the order of the matches. */
export interface Tally {
  /** Counts a match. Call it once for each match; entrants that are not in the contest are ignored. */
  add(played: PlayedMatch): void
  /** Best first. Tied entrants share a rank and keep the order of the description. */
  standings(): readonly StandingRow[]
  /** A row for every entrant, in any order. Absent: the rows of the standings, which then cover all stages. */
  totals?(): readonly EntrantTotals[]
  /** The uncertainty of the points per match in the row of an entrant; only entrants with enough matches. Absent: not estimated. */
  intervals?(): ReadonlyMap<EntrantId, Interval>
  /**
   * The uncertainty of the share of the others in its matches that an entrant placed before, a tie counted as half; only
   * entrants with enough matches. Absent: not estimated.
   */
  shareIntervals?(): ReadonlyMap<EntrantId, Interval>
  /** In the order of the description; empty for more than `DETAIL_MAX` entrants. */
  headToHead(): HeadToHead
  /** The same by places, for formats whose `headToHead` has scores: who scored more was placed before the other. */
  placings?(): HeadToHead
  /** The format's other tables. */
  tables(): ContestTables
}

/**
 * A contest format: the matches of each stage as a pure function of the entrants, the seed and the results so far. F:
 * its settings. It keeps no state between calls except caches, so that an interrupted contest resumes with the same
 * matches.
 */
export interface ContestFormat<F = unknown> {
  /** Its `type` in a contest's description; for a game's own format, its `name`. */
  readonly id: string
  /** The schema of the description's `format`; for a game's own format, of `format.settings`. */
  readonly settings: z.ZodType<F>
  /**
   * Settings that new contests have where they are absent. Without them a contest has the schedule and the rules that it
   * had when it began in an older version.
   */
  readonly forNewContests?: Readonly<Record<string, Json>>
  /** Players per match. */
  tableSize(settings: F, entrants: number): number
  /** The number of entrants, the last ones, that only fill tables. Absent: none. */
  fillers?(settings: F): number
  /** An entrant may take several seats of a match, so that fewer entrants than seats suffice. */
  readonly repeatsEntrants?: true
  /**
   * Why no schedule is possible, in a sentence; null: it is. Shared code checks that there are enough entrants for a
   * table.
   */
  fault?(settings: F, entrants: number): string | null
  /**
   * The number of matches in each stage, which is known before any match is played. If `varies`, results may change
   * those of later stages; here are the largest ones, without matches that are played only because of ties.
   */
  stages(settings: F, entrants: number, field?: ContestField): readonly number[]
  readonly varies?: true
  /** The same, where it depends on the settings. */
  variesWith?(settings: F): boolean
  /** In a sentence, why a finished contest had its number of matches; null: that needs no explanation. Absent: always null. */
  ending?(settings: F, entrants: number, matches: number): string | null
  /** The outcomes of matches are kept for `next` and the tables. Absent: only sums are. */
  readonly readsOutcomes?: true
  /**
   * The changes to the contest's config that its pairings name: fields with their values. Absent: all matches have the
   * contest's config.
   */
  variants?(settings: F): readonly ConfigPatch[]
  /**
   * The fields of `settings` that hold lists of the game's named texts, with the field of the config in which such a
   * text belongs. As in a config, a text is given by name, by file or by hash.
   */
  readonly texts?: Readonly<Record<string, string>>
  /**
   * The pairings of the next stage: as many as `stages` gives. `results`: the finished stages; empty before the first.
   * `pairings`: what it has returned for each of them.
   */
  next(contest: FormatContest<F>, results: readonly StageResult[], pairings: readonly Pairings[]): Pairings
  /**
   * How a withdrawal is treated. `played`: the part of its matches that the entrant has played, from 0 to 1. Returns a
   * sentence if these settings allow none. Absent: the format allows none.
   */
  withdrawal?(settings: F, played: number): WithdrawalTreatment | { readonly refusal: string }
  /** An agent may enter late: in Swiss rounds that have not begun, or at the end of a ladder. */
  readonly lateEntry?: true
  /** Its stages are rounds that the educator may pair. */
  readonly pairedByHand?: true
  /** How entrants are rated: `openskill` in the order of the matches. Absent: Bradley-Terry, in no order. */
  readonly rating?: 'openskill'
  /** Creates the format's empty tables. Absent: standings by points. */
  tally?(contest: TallyContest<F>): Tally
}

/** A count of a game's outcomes besides points, scores, wins and removals; shown as a column of the standings. */
export interface OutcomeCount {
  /** Its name in the standings' `counts`. */
  readonly id: string
  /** Its column's title. */
  readonly label: string
  /** The title of a column with the score divided by this count; absent: no such column. */
  readonly per?: string
  /** The number that a match adds to the count of each of its players. */
  of(outcome: Outcome): number
}

/** How a game's contests differ from the defaults. */
export interface GameContests {
  /** The game's own formats, besides the shared ones. */
  readonly formats?: readonly ContestFormat[]
  /** Players per match in shared formats where a contest does not say; default: 2. */
  readonly seats?: number
  /** Points by index in `outcome.places`. Default: one for every player ranked lower, half for every tied player. */
  points?(outcome: Outcome): readonly number[]
  /** The least and the largest points of a match, which may be infinite. Absent: those of its places without ties. */
  readonly pointsRange?: Interval
  /** The number by which tables divide the scores of outcomes, such as 10 if these are tenths. Absent: 1. */
  readonly scoreUnit?: number
  /** Scores are energy, of which a ruling can give and take some in a match. Absent: the game has no energy. */
  readonly energy?: true
  readonly counts?: readonly OutcomeCount[]
  /**
   * The role of a seat, in a game whose roles are not equally good: ratings then compare points in equal roles over units
   * of matches instead of ranks within a match. Absent: all seats are alike.
   */
  roleOf?(seat: SeatId): string
}
