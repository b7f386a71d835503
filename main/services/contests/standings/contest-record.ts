import type { GameContests, Tally } from '../../../contract/contests/contest-format.ts'
import type { PlacedDecision } from '../../../contract/contests/decisions.ts'
import type { CountedRuling, ReplayedMatch } from '../../../contract/contests/rulings.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { ToolchainDifference } from '../../../contract/contests/toolchain-differences.ts'
import type { EntrantId, MatchNumber } from '../../../contract/ids.ts'
import type { FinishedRun, RunLocation } from '../../../histories/segments/run-index.ts'
import type { ScanKeeper } from '../../../histories/segments/contest-scan.ts'
import type { Breakdowns, ContestTables, RatedRow, StandingRow } from '../../../contract/contests/standings.ts'
import type { UnitResults } from '../statistics/rating-inference.ts'
import { ATTEMPTS_MAX, scheduleFrom, type Schedule } from '../schedule/scheduled-match.ts'
import { decisionTables, markedRows } from './decided.ts'
import type { StagePlace } from '../schedule/stages.ts'
import {
  type VoidedAttempt,
  type Counted,
  type Results,
  emptyCounts,
  isAtPlace,
  checkPlace,
  decide,
  settleUnplayed,
  endAsVoid,
  endStagesBefore,
  addFinished,
  keepNewest,
} from './contest-counts.ts'

/** The tables of a contest. */
interface RecordTables extends Omit<Required<Tally>, 'add'> {
  /** The standings with ratings, which take up to a second to compute and are kept until the next match. */
  ratedStandings(): readonly RatedRow[]
  /** Results by seat, by map or setting, and over time. */
  breakdowns(): Breakdowns
  /** The meetings of every two entrants, for ratings over several contests; see `ContestRatings.meetings`. */
  meetings(): readonly UnitResults[]
}

/**
 * A summary of a contest's histories, kept up to date while it runs; everything in it can be recomputed from the
 * histories. Each match is reported to it once, by a scan or by the engine, and stored as a row of a FinishedTable.
 */
export interface ContestRecord extends RecordTables, ScanKeeper {
  /** The tables as they would be without rulings of hearings. */
  readonly asPlayed: RecordTables
  /** The rulings about it, oldest first; its tables are those after them. */
  readonly rulings: readonly CountedRuling[]
  /** Matches that a ruling has annulled and that are still to be played again, ascending. */
  readonly toPlayAgain: readonly MatchNumber[]
  /** Matches that a ruling has annulled and whose new match has become void: they count for nobody. */
  readonly replayedVoid: readonly ReplayedMatch[]
  /** Matches that a ruling has annulled, with those that were played in their place. */
  readonly replayed: readonly ReplayedMatch[]
  /** The matches that rulings have played again; null: there are none, or matches of the schedule are not over. */
  replays(): Schedule | null
  /** A sentence that explains the number of matches; null: it needs no explanation, or the contest is not over. */
  ending(): string | null
  /** The number of matches of the schedule, as far as it is known: results may change the number in later stages. */
  readonly scheduled: number
  /** The same with the matches that rulings want played again. */
  readonly total: number
  /** The most recent finished matches in full, newest last. */
  readonly recent: readonly FinishedRun[]
  /** The most recent void attempts, newest last. */
  readonly voidedAttempts: readonly VoidedAttempt[]
  /** Matches whose attempts were all voided by host faults: they do not count. */
  readonly voided: readonly MatchNumber[]
  /** Finished and voided matches, and those that are not played because an entrant has withdrawn. */
  readonly done: number
  isDone(match: MatchNumber): boolean
  /** True for a match that is not played because an entrant has withdrawn. */
  isUnplayed(match: MatchNumber): boolean
  /** The number of stages of which a match is over; the next one can still be paired. */
  readonly begun: number
  /** The number of all stages. */
  readonly stages: number
  /** The toolchains of which its matches used several versions. */
  toolchains(): readonly ToolchainDifference[]
  /** The number of matches that an entrant has played, whether they count or not. */
  played(entrant: EntrantId): number
  /** The educator's decisions that hold. */
  readonly decisions: readonly PlacedDecision[]
  /** The decisions that the record was given and that do not hold yet, oldest first. */
  pending(): readonly PlacedDecision[]
  /**
   * The decisions of the histories that the record was not given; none: it knows all. Otherwise it counts nothing after the
   * first of them: create another one that is given these.
   */
  readonly unknown: readonly PlacedDecision[]
  /**
   * Applies a decision at its place, from a scan or when it was written. Throws ExpectedError 'verdict' if it is not the
   * place that it names.
   */
  decide(placed: PlacedDecision, at?: RunLocation): void
  /** True if this is the place that a decision names. */
  isAtPlace(placed: PlacedDecision): boolean
  /** Throws like `decide`, and changes nothing. */
  checkPlace(placed: PlacedDecision): void
  /** The places of the decisions in the segments, in their order, as far as a scan has found them. */
  readonly decidedAt: readonly RunLocation[]
  /** The place of a scheduled match in the contest, as far as its stage has begun. */
  placeOf(match: MatchNumber): StagePlace
  /** The number of void attempts at a match. */
  attempts(match: MatchNumber): number
  /** The matches of a stage, from 0. null: not known before the previous stages are over, or no such stage. */
  stage(index: number): Schedule | null
  /** Adds a match whose history is on disk. Throws ExpectedError 'verdict' if it is not scheduled. */
  finish(run: FinishedRun): void
  voidAttempt(attempt: VoidedAttempt): void
}

/**
 * Creates the empty record of a contest. `contests`: the contest settings of its game. `decisions`: those of the educator,
 * as far as they are known; the description has the entrants that entered late at its end. `isExact`: false if the seed of
 * the description is not that of the contest, so that its schedule may be another: decisions then hold at any place, and no
 * match is won by a withdrawal. Throws ExpectedError 'usage' if its format is unknown.
 */
export function createRecord(
  description: ContestDescription,
  contests: GameContests = {},
  decisions: readonly PlacedDecision[] = [],
  isExact = true,
): ContestRecord {
  const counted = emptyCounts(description, contests, decisions, isExact)
  const { stages, finished, recent, voidedAttempts, attempts, voidedMatches, decided } = counted
  const { replays } = counted
  const numbers = (): readonly MatchNumber[] => Array.from({ length: replays.length }, (_, at) => stages.total + at)
  const isOver = (match: MatchNumber): boolean => finished.has(match) || voidedMatches.has(match)
  /** A ruling is reversed before its match was played again. */
  const isLeft = (match: MatchNumber): boolean =>
    match >= stages.total && match < stages.total + replays.length && !replays.isWanted(match) && !isOver(match)
  const done = (): number =>
    finished.size + voidedMatches.size + decided.unplayed.size + numbers().filter(isLeft).length
  const scheduledDone = (): number =>
    finished.size + voidedMatches.size + decided.unplayed.size - numbers().filter(isOver).length
  const earlierOf = (match: MatchNumber): MatchNumber => counted.ruled.replays[match - stages.total]!
  const replayedIn = (is: (match: MatchNumber) => boolean): readonly ReplayedMatch[] =>
    numbers().flatMap((match) => (replays.isWanted(match) && is(match) ? { match: earlierOf(match), as: match } : []))
  settleUnplayed(counted)
  return {
    get scheduled() {
      return stages.total
    },
    get total() {
      return stages.total + replays.length
    },
    finished,
    recent,
    voidedAttempts,
    get voided() {
      return [...voidedMatches].sort((a, b) => a - b)
    },
    get done() {
      return done()
    },
    isDone: (match) => isOver(match) || decided.unplayed.has(match) || isLeft(match),
    isUnplayed: (match) => decided.unplayed.has(match),
    get begun() {
      return decided.begun
    },
    stages: decided.stages,
    toolchains: () => counted.toolchains.differences(),
    played: (entrant) => playedBy(counted, entrant),
    get decisions() {
      return decided.known.slice(0, decided.applied)
    },
    pending: () => decided.known.slice(decided.applied),
    unknown: decided.unknown,
    decide(placed, at) {
      if (at !== undefined) decided.places.push(at)
      decide(counted, placed)
    },
    isAtPlace: (placed) => isAtPlace(counted, placed),
    checkPlace: (placed) => checkPlace(counted, placed),
    decidedAt: decided.places,
    placeOf: (match) => stages.placeOf(replays.rootOf(match) ?? match),
    attempts: (match) => attempts.get(match) ?? 0,
    ...recordTables(counted, counted.after ?? counted.played),
    asPlayed: recordTables(counted, counted.played),
    rulings: counted.ruled.all,
    get toPlayAgain() {
      const open = numbers().filter((match) => replays.isWanted(match) && !isOver(match))
      return open.map(earlierOf).sort((a, b) => a - b)
    },
    get replayedVoid() {
      return replayedIn((match) => voidedMatches.has(match))
    },
    get replayed() {
      return replayedIn((match) => finished.has(match))
    },
    replays: () => (replays.length === 0 || scheduledDone() < stages.total ? null : scheduleOfReplays(counted)),
    ending() {
      const { format, settings, names } = counted
      return scheduledDone() === stages.total ? (format.ending?.(settings, names.length, stages.total) ?? null) : null
    },
    stage(index) {
      const [first, pairings] = [stages.first(index), stages.pairings()[index]]
      return first === undefined || pairings === undefined ? null : scheduleFrom(first, pairings)
    },
    finish: (run) => addFinished(counted, run),
    voidAttempt({ match, attempt, reason }) {
      if (decided.unknown.length > 0) return
      keepNewest(voidedAttempts, { match, attempt, reason })
      attempts.set(match, Math.max(attempt, attempts.get(match) ?? 0))
      endStagesBefore(counted, match)
      if (attempt >= ATTEMPTS_MAX) endAsVoid(counted, match)
    },
  }
}

/** The matches that are played again, with the pairing of the match that each replaces. */
function scheduleOfReplays({ stages, replays }: Counted): Schedule {
  return scheduleFrom(stages.total, {
    length: replays.length,
    at(index) {
      const root = replays.rootOf(stages.total + index)
      if (root === null) return undefined
      const { stage } = stages.placeOf(root)
      return stages.pairings()[stage]!.at(root - stages.first(stage)!)
    },
  })
}

function recordTables(counted: Counted, results: Results): RecordTables {
  const { tally, breakdowns } = results
  return {
    standings: () => standingsOf(counted, results),
    ratedStandings: () => ratedStandings(counted, results),
    totals: () => tally.totals?.() ?? standingsOf(counted, results),
    intervals: () => tally.intervals?.() ?? new Map(),
    shareIntervals: () => tally.shareIntervals?.() ?? new Map(),
    headToHead: () => tally.headToHead(),
    placings: () => tally.placings?.() ?? tally.headToHead(),
    tables: () => tablesOf(counted, results),
    breakdowns: () => breakdowns.tables(),
    meetings: () => results.ratings.meetings(),
  }
}

/** The tables of the format, the reasons of removals if it has no such table itself, and the decisions. */
function tablesOf({ decided }: Counted, { tally, removals }: Results): ContestTables {
  const tables = tally.tables()
  const rows = tables.walkedAway === undefined ? removals.rows() : []
  return { ...tables, ...(rows.length === 0 ? {} : { removals: rows }), ...decisionTables(decided) }
}

/** The rows of standings; after rulings each says what it was as it was played. */
function standingsOf({ played, after, decided, ruled }: Counted, results: Results): readonly StandingRow[] {
  if (after === null || results === played) return markedRows(results.tally.standings(), decided, new Map())
  const before = new Map(
    markedRows(played.tally.standings(), decided, new Map()).map(({ agent, rank, points }) => [
      agent,
      { rank, points },
    ]),
  )
  return markedRows(results.tally.standings(), decided, ruled.removed).map((row) => {
    const asPlayed = before.get(row.agent)
    return asPlayed === undefined ? row : { ...row, asPlayed }
  })
}

function playedBy({ stages, names }: Counted, entrant: EntrantId): number {
  const at = names.indexOf(entrant)
  return stages.soFar().reduce((sum, results) => sum + (results[at]?.matches ?? 0), 0)
}

function ratedStandings(counted: Counted, results: Results): readonly RatedRow[] {
  const { names } = counted
  const rated = results.ratings.ratings()
  const indexOf = new Map(names.map((name, at) => [name, at]))
  const rows = standingsOf(counted, results)
  return rows.map((row, at) => {
    const next = rows[at + 1]
    const entrant = indexOf.get(row.agent)!
    const superiority = next === undefined ? null : rated.superiority(entrant, indexOf.get(next.agent)!)
    return { ...row, ...rated.of(entrant), superiority, bySeat: results.seatResults.of(entrant) }
  })
}
