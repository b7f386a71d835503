import type { GameContests, Tally } from '../../../contract/contests/contest-format.ts'
import type { PlacedDecision } from '../../../contract/contests/decisions.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { EntrantId, MatchNumber } from '../../../contract/ids.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { Outcome } from '../../../contract/game/outcome.ts'
import { createFinishedTable, type FinishedTable } from '../../../histories/segments/finished-table.ts'
import type { FinishedRun, RunLocation, VoidedRun } from '../../../histories/segments/run-index.ts'
import type { ScanKeeper } from '../../../histories/segments/contest-scan.ts'
import type {
  Breakdowns,
  ContestTables,
  RatedRow,
  SeatResult,
  StandingRow,
} from '../../../contract/contests/standings.ts'
import { createBreakdowns } from './breakdowns.ts'
import { createContestRatings } from './contest-ratings.ts'
import { chosenFormat, stagePairings, type ChosenFormat } from '../formats/registry.ts'
import { ATTEMPTS_MAX, scheduleFrom, type Schedule } from '../schedule/scheduled-match.ts'
import { fieldOf } from '../formats/contest-field.ts'
import { decisionTables, forfeitOf, isExpected, markedRows, noneDecided, type Decided } from './decided.ts'
import { createRemovalReasons, type RemovalReasons } from './removal-reasons.ts'
import { createStages, type StagePlace, type Stages } from '../schedule/stages.ts'
import { createTally } from './standings.ts'
import { pointsOf, shownScore } from '../formats/counting.ts'

type VoidedAttempt = Pick<VoidedRun, 'match' | 'attempt' | 'reason'>

/**
 * A summary of a contest's histories, kept up to date while it runs; everything in it can be recomputed from the
 * histories. Each match is reported to it once, by a scan or by the engine, and stored as a row of a FinishedTable.
 */
export interface ContestRecord extends Omit<Required<Tally>, 'add'>, ScanKeeper {
  /** The standings with ratings, which take up to a second to compute and are kept until the next match. */
  ratedStandings(): readonly RatedRow[]
  /** A sentence that explains the number of matches; null: it needs no explanation, or the contest is not over. */
  ending(): string | null
  /** Results by seat, by map or setting, and over time. */
  breakdowns(): Breakdowns
  /** The number of scheduled matches, as far as it is known: results may change the number in later stages. */
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

/** The number of finished matches, and of void attempts, that are kept in full. */
const NEWEST = 200

/** A contest's format, with everything that counts its matches. */
interface Counted extends ChosenFormat {
  readonly names: readonly EntrantId[]
  readonly stages: Stages
  /** For formats whose pairings read outcomes. */
  readonly outcomes: ReturnType<typeof createOutcomes>
  readonly tally: Tally
  readonly ratings: ReturnType<typeof createContestRatings>
  readonly seatResults: SeatResults
  readonly breakdowns: ReturnType<typeof createBreakdowns>
  readonly removals: RemovalReasons
  readonly finished: FinishedTable
  readonly recent: FinishedRun[]
  readonly voidedAttempts: VoidedAttempt[]
  /** The number of void attempts at each match that has any. */
  readonly attempts: Map<MatchNumber, number>
  /** See `ContestRecord.voided`. */
  readonly voidedMatches: Set<MatchNumber>
  readonly decided: Decided
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
  const { stages, tally, breakdowns, finished, recent, voidedAttempts, attempts, voidedMatches, decided } = counted
  const done = (): number => finished.size + voidedMatches.size + decided.unplayed.size
  settleUnplayed(counted)
  return {
    get total() {
      return stages.total
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
    isDone: (match) => finished.has(match) || voidedMatches.has(match) || decided.unplayed.has(match),
    isUnplayed: (match) => decided.unplayed.has(match),
    get begun() {
      return decided.begun
    },
    stages: decided.stages,
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
    placeOf: (match) => stages.placeOf(match),
    attempts: (match) => attempts.get(match) ?? 0,
    standings: () => standingsOf(counted),
    ratedStandings: () => ratedStandings(counted),
    totals: () => tally.totals?.() ?? standingsOf(counted),
    intervals: () => tally.intervals?.() ?? new Map(),
    headToHead: () => tally.headToHead(),
    tables: () => tablesOf(counted),
    breakdowns: () => breakdowns.tables(),
    ending() {
      const { format, settings, names } = counted
      return done() === stages.total ? (format.ending?.(settings, names.length, stages.total) ?? null) : null
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

function emptyCounts(
  { format: written, entrants, seed }: ContestDescription,
  contests: GameContests,
  decisions: readonly PlacedDecision[],
  isExact: boolean,
): Counted {
  const chosen = chosenFormat(written, contests)
  if (typeof chosen === 'string') throw new ExpectedError('usage', 'schedule-invalid', `format: ${chosen}`)
  const { format, settings } = chosen
  const names = entrants.map(({ name }) => name)
  const variants = format.variants?.(settings) ?? []
  const outcomes = createOutcomes()
  const unplayed: Set<number>[] = []
  const field = fieldOf(names, decisions, (stage, index) => unplayed[stage]?.has(index) === true)
  const contest = { entrants: names.length, seed, outcomes: outcomes.of, field }
  const lengths = format.stages(settings, names.length, field)
  unplayed.push(...lengths.map(() => new Set<number>()))
  const [finished, voidedMatches] = [createFinishedTable(), new Set<MatchNumber>()]
  const stages = createStages({
    ...{ lengths, names, contests, field, unplayed },
    isOver: (match) => finished.has(match) || voidedMatches.has(match),
    next: (results, before) => stagePairings(chosen, contest, results, before),
    hasVariants: variants.length > 0,
  })
  const usual = (): Tally => createTally(names, contests)
  const tallied = {
    ...{ settings, names, contests, seed, outcomes: outcomes.of, usual, field },
    results: () => stages.results(),
    pairings: () => stages.pairings(),
    soFar: () => stages.soFar(),
  }
  return {
    ...{ format, settings, names, stages, outcomes },
    tally: format.tally?.(tallied) ?? usual(),
    ratings: createContestRatings(names, format, contests),
    seatResults: createSeatResults(names, contests),
    breakdowns: createBreakdowns(names, contests, variants),
    removals: createRemovalReasons(names),
    finished,
    recent: [],
    voidedAttempts: [],
    attempts: new Map(),
    voidedMatches,
    decided: noneDecided(decisions, lengths.length, isExact),
  }
}

/** The tables of the format, the reasons of removals if it has no such table itself, and the decisions. */
function tablesOf({ tally, removals, decided }: Counted): ContestTables {
  const tables = tally.tables()
  const rows = tables.walkedAway === undefined ? removals.rows() : []
  return { ...tables, ...(rows.length === 0 ? {} : { removals: rows }), ...decisionTables(decided) }
}

const standingsOf = ({ tally, decided }: Counted): readonly StandingRow[] => markedRows(tally.standings(), decided)

function playedBy({ stages, names }: Counted, entrant: EntrantId): number {
  const at = names.indexOf(entrant)
  return stages.soFar().reduce((sum, results) => sum + (results[at]?.matches ?? 0), 0)
}

const isAtPlace = ({ decided, finished }: Counted, { stage, matches }: PlacedDecision): boolean =>
  stage === decided.begun && matches === finished.size

function checkPlace(counted: Counted, placed: PlacedDecision): void {
  if (!counted.decided.isExact || isAtPlace(counted, placed)) return
  throw new ExpectedError(
    'verdict',
    'history-damaged',
    `A decision of the educator stands after ${counted.finished.size} matches, and it was made after ${placed.matches}.`,
  )
}

/** Applies a decision; see `ContestRecord.decide`. */
function decide(counted: Counted, placed: PlacedDecision): void {
  const { decided, stages, names } = counted
  if (!isExpected(decided, placed)) {
    decided.unknown.push(placed)
    return
  }
  checkPlace(counted, placed)
  decided.applied += 1
  const { decision } = placed
  if (decision.type !== 'withdraw') return
  decided.away.set(decision.entrant, decision.treatment)
  stages.withdraw(names.indexOf(decision.entrant))
  settleUnplayed(counted)
}

/** Counts matches that have become unplayed. */
function settleUnplayed({ stages, ratings, tally, names, decided }: Counted): void {
  for (const match of stages.takeUnplayed()) {
    const place = stages.placeOf(match)
    decided.unplayed.add(match)
    ratings.skip(match, place)
    const pairing = stages.pairings()[place.stage]?.at(match - stages.first(place.stage)!)
    const forfeit = forfeitOf(decided, pairing?.entrants.map((entrant) => names[entrant]!) ?? [])
    if (forfeit !== null) tally.add({ ...forfeit, ...place })
  }
}

function ratedStandings(counted: Counted): readonly RatedRow[] {
  const { names, ratings, seatResults } = counted
  const rated = ratings.ratings()
  const indexOf = new Map(names.map((name, at) => [name, at]))
  const rows = standingsOf(counted)
  return rows.map((row, at) => {
    const next = rows[at + 1]
    const entrant = indexOf.get(row.agent)!
    const superiority = next === undefined ? null : rated.superiority(entrant, indexOf.get(next.agent)!)
    return { ...row, ...rated.of(entrant), superiority, bySeat: seatResults.of(entrant) }
  })
}

function endAsVoid(counted: Counted, match: MatchNumber): void {
  const { stages, ratings, finished, voidedMatches, decided } = counted
  if (finished.has(match) || voidedMatches.has(match) || decided.unplayed.has(match)) return
  voidedMatches.add(match)
  const place = stages.placeOf(match)
  ratings.skip(match, place)
  decided.begun = Math.max(decided.begun, place.stage + 1)
  stages.end(match)
  settleUnplayed(counted)
}

/**
 * Ends the stages before that of a match. A stage begins when all matches before it are over, so those without a
 * result are void, although older versions did not record that a match had been interrupted too often.
 */
function endStagesBefore(counted: Counted, match: MatchNumber): void {
  const { stages } = counted
  for (let open = stages.openBefore(match); open !== null; open = stages.openBefore(match))
    for (let each = open.from; each < open.to; each++) endAsVoid(counted, each)
}

function addFinished(counted: Counted, run: FinishedRun): void {
  const { format, stages, finished, voidedMatches, decided } = counted
  if (decided.unknown.length > 0) return
  endStagesBefore(counted, run.match)
  if (run.match >= stages.total)
    throw new ExpectedError(
      'verdict',
      'history-damaged',
      `The histories contain match ${run.match}, which is not scheduled.`,
    )
  const place = stages.placeOf(run.match)
  if (format.readsOutcomes === true)
    counted.outcomes.add(place.stage, run.match - stages.first(place.stage)!, run.outcome)
  stages.add(run, place)
  decided.begun = Math.max(decided.begun, place.stage + 1)
  // Its stage has counted it already if it was void, or if the schedule is not known exactly, because the seed is lost.
  const wasOver = voidedMatches.has(run.match) || decided.unplayed.has(run.match)
  voidedMatches.delete(run.match)
  decided.unplayed.delete(run.match)
  finished.add(run)
  if (!wasOver) stages.end(run.match)
  settleUnplayed(counted)
  keepNewest(counted.recent, run)
  const { entrants: seated, outcome, faults } = run
  if (seated.some((name) => decided.annulled.has(name))) {
    counted.ratings.skip(run.match, place)
    return
  }
  counted.ratings.add(run.match, seated, outcome, place)
  counted.seatResults.add(seated, outcome, place.extras)
  counted.breakdowns.add(run.match, seated, outcome, place)
  counted.removals.add(seated, outcome)
  counted.tally.add({ entrants: seated, outcome, faults, ...place })
}

/** The outcomes of matches by stage and index. */
function createOutcomes() {
  const stages: (Map<number, Outcome> | undefined)[] = []
  return {
    of: (stage: number, index: number): Outcome | null => stages[stage]?.get(index) ?? null,
    add(stage: number, index: number, outcome: Outcome): void {
      const kept = (stages[stage] ??= new Map())
      kept.set(index, outcome)
    },
  }
}

function keepNewest<T>(list: T[], one: T): void {
  list.push(one)
  if (list.length > NEWEST) list.shift()
}

/** The results of entrants in each seat, over all matches that count. */
interface SeatResults {
  /** `extras`: indices of entrants for whom the match does not count. */
  add(entrants: readonly EntrantId[], outcome: Outcome, extras: readonly number[]): void
  /** By seat, as far as the entrant has sat; empty without a match. */
  of(entrant: number): readonly SeatResult[]
}

function createSeatResults(names: readonly EntrantId[], contests: GameContests): SeatResults {
  const places = new Map(names.map((name, at) => [name, at]))
  const sums = names.map((): { matches: number; points: number; score: number }[] => [])
  return {
    add(entrants, outcome, extras) {
      const points = pointsOf(outcome, contests)
      for (const [at, { seat, score }] of outcome.places.entries()) {
        const entrant = places.get(entrants[seat] ?? '') ?? -1
        const seats = extras.includes(entrant) ? undefined : sums[entrant]
        if (seats === undefined) continue
        while (seats.length <= seat) seats.push({ matches: 0, points: 0, score: 0 })
        const sum = seats[seat]!
        sum.matches += 1
        sum.points += points[at]!
        sum.score += score
      }
    },
    of: (entrant) => sums[entrant]!.map((sum) => ({ ...sum, score: shownScore(sum.score, contests) })),
  }
}
