import type { GameContests, Tally } from '../../../contract/contests/contest-format.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { EntrantId, MatchNumber } from '../../../contract/ids.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { Outcome } from '../../../contract/game/outcome.ts'
import { createFinishedTable, type FinishedTable } from '../../../histories/segments/finished-table.ts'
import type { FinishedRun, VoidedRun } from '../../../histories/segments/run-index.ts'
import type { ScanKeeper } from '../../../histories/segments/contest-scan.ts'
import type { Breakdowns, RatedRow, SeatResult } from '../../../contract/contests/standings.ts'
import { createBreakdowns } from './breakdowns.ts'
import { createContestRatings } from './contest-ratings.ts'
import { chosenFormat, stagePairings, type ChosenFormat } from '../formats/registry.ts'
import { ATTEMPTS_MAX, scheduleFrom, type Schedule } from '../schedule/scheduled-match.ts'
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
  /** Finished and voided matches. */
  readonly done: number
  isDone(match: MatchNumber): boolean
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
  readonly finished: FinishedTable
  readonly recent: FinishedRun[]
  readonly voidedAttempts: VoidedAttempt[]
  /** The number of void attempts at each match that has any. */
  readonly attempts: Map<MatchNumber, number>
  /** See `ContestRecord.voided`. */
  readonly voidedMatches: Set<MatchNumber>
}

/**
 * Creates the empty record of a contest. `contests`: the contest settings of its game. Throws ExpectedError 'usage' if
 * its format is unknown.
 */
export function createRecord(description: ContestDescription, contests: GameContests = {}): ContestRecord {
  const counted = emptyCounts(description, contests)
  const { stages, tally, breakdowns, finished, recent, voidedAttempts, attempts, voidedMatches } = counted
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
      return finished.size + voidedMatches.size
    },
    isDone: (match) => finished.has(match) || voidedMatches.has(match),
    placeOf: (match) => stages.placeOf(match),
    attempts: (match) => attempts.get(match) ?? 0,
    standings: () => tally.standings(),
    ratedStandings: () => ratedStandings(counted),
    totals: () => tally.totals?.() ?? tally.standings(),
    intervals: () => tally.intervals?.() ?? new Map(),
    headToHead: () => tally.headToHead(),
    tables: () => tally.tables(),
    breakdowns: () => breakdowns.tables(),
    ending() {
      const { format, settings, names } = counted
      const isOver = finished.size + voidedMatches.size === stages.total
      return isOver ? (format.ending?.(settings, names.length, stages.total) ?? null) : null
    },
    stage(index) {
      const [first, pairings] = [stages.first(index), stages.pairings()[index]]
      return first === undefined || pairings === undefined ? null : scheduleFrom(first, pairings)
    },
    finish: (run) => addFinished(counted, run),
    voidAttempt({ match, attempt, reason }) {
      keepNewest(voidedAttempts, { match, attempt, reason })
      attempts.set(match, Math.max(attempt, attempts.get(match) ?? 0))
      endStagesBefore(counted, match)
      if (attempt >= ATTEMPTS_MAX) endAsVoid(counted, match)
    },
  }
}

function emptyCounts({ format: written, entrants, seed }: ContestDescription, contests: GameContests): Counted {
  const chosen = chosenFormat(written, contests)
  if (typeof chosen === 'string') throw new ExpectedError('usage', 'schedule-invalid', `format: ${chosen}`)
  const { format, settings } = chosen
  const names = entrants.map(({ name }) => name)
  const variants = format.variants?.(settings) ?? []
  const outcomes = createOutcomes()
  const contest = { entrants: names.length, seed, outcomes: outcomes.of }
  const stages = createStages({
    ...{ lengths: format.stages(settings, names.length), names, contests },
    next: (results, before) => stagePairings(chosen, contest, results, before),
    hasVariants: variants.length > 0,
  })
  const usual = (): Tally => createTally(names, contests)
  const tallied = {
    ...{ settings, names, contests, seed, outcomes: outcomes.of, usual },
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
    finished: createFinishedTable(),
    recent: [],
    voidedAttempts: [],
    attempts: new Map(),
    voidedMatches: new Set(),
  }
}

function ratedStandings({ names, ratings, tally, seatResults }: Counted): readonly RatedRow[] {
  const rated = ratings.ratings()
  const indexOf = new Map(names.map((name, at) => [name, at]))
  const rows = tally.standings()
  return rows.map((row, at) => {
    const next = rows[at + 1]
    const entrant = indexOf.get(row.agent)!
    const superiority = next === undefined ? null : rated.superiority(entrant, indexOf.get(next.agent)!)
    return { ...row, ...rated.of(entrant), superiority, bySeat: seatResults.of(entrant) }
  })
}

function endAsVoid({ stages, ratings, finished, voidedMatches }: Counted, match: MatchNumber): void {
  if (finished.has(match) || voidedMatches.has(match)) return
  voidedMatches.add(match)
  ratings.skip(match, stages.placeOf(match))
  stages.end(match)
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
  const { format, stages, finished, voidedMatches } = counted
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
  if (!voidedMatches.has(run.match)) stages.end(run.match)
  finished.add(run)
  voidedMatches.delete(run.match)
  keepNewest(counted.recent, run)
  const { entrants: seated, outcome, faults } = run
  counted.ratings.add(run.match, seated, outcome, place)
  counted.seatResults.add(seated, outcome, place.extras)
  counted.breakdowns.add(run.match, seated, outcome, place)
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
