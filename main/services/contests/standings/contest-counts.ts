import type { GameContests, Pairings, Tally, TallyContest } from '../../../contract/contests/contest-format.ts'
import type { PlacedDecision } from '../../../contract/contests/decisions.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import { winnerOf } from '../../../contract/game/outcome.ts'
import type { EntrantId, MatchNumber } from '../../../contract/ids.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { Outcome } from '../../../contract/game/outcome.ts'
import { createFinishedTable, type FinishedTable } from '../../../histories/segments/finished-table.ts'
import type { FinishedRun, VoidedRun } from '../../../histories/segments/run-index.ts'
import type { SeatResult } from '../../../contract/contests/standings.ts'
import { createBreakdowns } from './breakdowns.ts'
import { createContestRatings } from './contest-ratings.ts'
import { chosenFormat, stagePairings, type ChosenFormat } from '../formats/registry.ts'
import { fieldOf } from '../formats/contest-field.ts'
import { forfeitOf, isExpected, noneDecided, type Decided } from './decided.ts'
import { replaysOf, type Replays } from './replays.ts'
import { ruledBy, type CountedOutcome, type Ruled } from './ruled.ts'
import { createStages, createStageSums, type StagePlace, type Stages, type StageSums } from '../schedule/stages.ts'
import { createTally } from './standings.ts'
import { createToolchainTally, type ToolchainTally } from './toolchain-tally.ts'
import { pointsOf, shownScore } from '../formats/counting.ts'
import { addText, patternOf } from '../../../contract/text-patterns.ts'

export type VoidedAttempt = Pick<VoidedRun, 'match' | 'attempt' | 'reason'>

/** The number of finished matches, and of void attempts, that are kept in full. */
const NEWEST = 200

/** The tables of a contest. */
export interface Results {
  /** For formats whose pairings read outcomes. */
  readonly outcomes: ReturnType<typeof createOutcomes>
  readonly tally: Tally
  readonly ratings: ReturnType<typeof createContestRatings>
  readonly seatResults: SeatResults
  readonly breakdowns: ReturnType<typeof createBreakdowns>
  readonly removals: RemovalReasons
}

/** A contest's format, with everything that counts its matches. */
export interface Counted extends ChosenFormat {
  readonly names: readonly EntrantId[]
  readonly stages: Stages
  /** The results as they were played; pairings follow from these alone. */
  readonly played: Results
  readonly ruled: Ruled
  readonly replays: Replays
  /** The results after the rulings; null: there are none. */
  readonly after: (Results & { readonly sums: StageSums }) | null
  readonly finished: FinishedTable
  readonly recent: FinishedRun[]
  readonly toolchains: ToolchainTally
  readonly voidedAttempts: VoidedAttempt[]
  /** The number of void attempts at each match that has any. */
  readonly attempts: Map<MatchNumber, number>
  /** See `ContestRecord.voided`. */
  readonly voidedMatches: Set<MatchNumber>
  readonly decided: Decided
}

/** Counts of a contest without a match; see `createRecord`. */
export function emptyCounts(
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
  const [outcomes, ruled] = [createOutcomes(), ruledBy(decisions, contests)]
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
  const asPlayed = { results: () => stages.results(), soFar: () => stages.soFar(), outcomes: outcomes.of }
  const tablesWith = (tallied: Pick<TallyContest<unknown>, 'results' | 'soFar' | 'ruled'>, of: typeof outcomes) => {
    const usual = (): Tally => createTally(names, contests, tallied.ruled?.points)
    const pairings = (): readonly Pairings[] => stages.pairings()
    const whole = { settings, names, contests, seed, usual, field, pairings, outcomes: of.of, ...tallied }
    return {
      outcomes: of,
      tally: format.tally?.(whole) ?? usual(),
      ratings: createContestRatings(names, format, contests),
      seatResults: createSeatResults(names, contests),
      breakdowns: createBreakdowns(names, contests, variants),
      removals: createRemovalReasons(names),
    }
  }
  const resultsAfter = (): Counted['after'] => {
    if (ruled.all.length === 0) return null
    const sums = createStageSums(lengths.length, names, contests)
    const after = {
      results: () => sums.first(stages.over),
      soFar: () => sums.first(stages.over + 1),
      ruled: { points: names.map((name) => ruled.pointsOf(name)), annuls: ruled.annuls, ...asPlayed },
    }
    return { ...tablesWith(after, createOutcomes()), sums }
  }
  return {
    ...{ format, settings, names, stages, ruled },
    replays: replaysOf(ruled, () => stages.total),
    played: tablesWith(asPlayed, outcomes),
    after: resultsAfter(),
    finished,
    recent: [],
    toolchains: createToolchainTally(),
    voidedAttempts: [],
    attempts: new Map(),
    voidedMatches,
    decided: noneDecided(decisions, lengths.length, isExact),
  }
}

/** True if this is the place that a decision names. */
export const isAtPlace = ({ decided, finished }: Counted, { stage, matches }: PlacedDecision): boolean =>
  stage === decided.begun && matches === finished.size

/** Throws ExpectedError 'verdict' if a decision of the educator stands at another place than it names. */
export function checkPlace(counted: Counted, placed: PlacedDecision): void {
  if (!counted.decided.isExact || isAtPlace(counted, placed)) return
  throw new ExpectedError(
    'verdict',
    'history-damaged',
    `A decision of the educator stands after ${counted.finished.size} matches, and it was made after ${placed.matches}.`,
  )
}

/** Applies a decision; see `ContestRecord.decide`. */
export function decide(counted: Counted, placed: PlacedDecision): void {
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
export function settleUnplayed(counted: Counted): void {
  const { stages, played, after, ruled, names, decided } = counted
  for (const match of stages.takeUnplayed()) {
    const place = stages.placeOf(match)
    decided.unplayed.add(match)
    skip(counted, match, place)
    const pairing = stages.pairings()[place.stage]?.at(match - stages.first(place.stage)!)
    const forfeit = forfeitOf(decided, pairing?.entrants.map((entrant) => names[entrant]!) ?? [])
    if (forfeit === null) continue
    played.tally.add({ ...forfeit, ...place })
    const counts = ruled.counted(match, forfeit.entrants, forfeit.outcome)
    // A player that walked away does not win because the other one forfeits, too.
    if (counts?.isForfeited === false) after?.tally.add({ ...forfeit, ...place })
    else if (counts !== null && winnerOf(counts.outcome) === winnerOf(forfeit.outcome))
      after?.tally.add({ ...forfeit, outcome: counts.outcome, ...place })
  }
}

/** A match that counts for nobody. */
function skip({ played, after }: Counted, match: MatchNumber, place: StagePlace): void {
  played.ratings.skip(match, place)
  after?.ratings.skip(match, place)
}

/** Ends a match without a result, if it has not ended already. */
export function endAsVoid(counted: Counted, match: MatchNumber): void {
  const { stages, finished, voidedMatches, decided } = counted
  if (finished.has(match) || voidedMatches.has(match) || decided.unplayed.has(match)) return
  voidedMatches.add(match)
  if (match >= stages.total) {
    const root = counted.replays.rootOf(match)
    if (root !== null && counted.replays.isWanted(match)) counted.after?.ratings.skip(root, stages.placeOf(root))
    return
  }
  const place = stages.placeOf(match)
  skip(counted, match, place)
  decided.begun = Math.max(decided.begun, place.stage + 1)
  stages.end(match)
  settleUnplayed(counted)
}

/**
 * Ends the stages before that of a match. A stage begins when all matches before it are over, so those without a
 * result are void, although older versions did not record that a match had been interrupted too often.
 */
export function endStagesBefore(counted: Counted, match: MatchNumber): void {
  const { stages } = counted
  for (let open = stages.openBefore(match); open !== null; open = stages.openBefore(match))
    for (let each = open.from; each < open.to; each++) endAsVoid(counted, each)
}

/** Counts a finished match; see `ContestRecord.finish`. */
export function addFinished(counted: Counted, run: FinishedRun): void {
  const { format, stages, finished, voidedMatches, decided, played, after, ruled } = counted
  if (decided.unknown.length > 0) return
  endStagesBefore(counted, run.match)
  if (run.match >= stages.total) {
    addReplay(counted, run)
    return
  }
  const place = stages.placeOf(run.match)
  const counts = after === null ? null : ruled.counted(run.match, run.entrants, run.outcome)
  if (format.readsOutcomes === true) {
    const index = run.match - stages.first(place.stage)!
    played.outcomes.add(place.stage, index, run.outcome)
    if (counts !== null) after?.outcomes.add(place.stage, index, counts.outcome)
  }
  stages.add(run, place)
  if (counts !== null) after?.sums.add({ ...run, outcome: counts.outcome }, place)
  decided.begun = Math.max(decided.begun, place.stage + 1)
  // Its stage has counted it already if it was void, or if the schedule is not known exactly, because the seed is lost.
  const wasOver = voidedMatches.has(run.match) || decided.unplayed.has(run.match)
  voidedMatches.delete(run.match)
  decided.unplayed.delete(run.match)
  finished.add(run)
  if (!wasOver) stages.end(run.match)
  settleUnplayed(counted)
  keepNewest(counted.recent, run)
  counted.toolchains.add(run.match, run.toolchains)
  if (run.entrants.some((name) => decided.annulled.has(name))) {
    skip(counted, run.match, place)
    return
  }
  addPlayed(played, run, place)
  // A match that is played again leaves its place to that one.
  if (after !== null && !ruled.isReplaced(run.match)) addRuled(after, run, place, counts)
}

/** Counts a match after rulings. */
function addRuled(after: Results, run: FinishedRun, place: StagePlace, counts: CountedOutcome): void {
  if (counts?.isForfeited === false) addPlayed(after, { ...run, outcome: counts.outcome }, place)
  else {
    after.ratings.skip(run.match, place)
    if (counts !== null)
      after.tally.add({ entrants: run.entrants, outcome: counts.outcome, faults: run.faults, ...place })
  }
}

/** Counts a match that a ruling has played again: after rulings it stands in the place of the one that it annulled. */
function addReplay(counted: Counted, run: FinishedRun): void {
  const { format, stages, replays, ruled, finished, voidedMatches, decided, after } = counted
  const root = replays.rootOf(run.match)
  if (root === null || stages.over < decided.stages)
    throw new ExpectedError(
      'verdict',
      'history-damaged',
      `The histories contain match ${run.match}, which is not scheduled.`,
    )
  voidedMatches.delete(run.match)
  finished.add(run)
  keepNewest(counted.recent, run)
  counted.toolchains.add(run.match, run.toolchains)
  if (after === null || !replays.isWanted(run.match) || ruled.isReplaced(run.match)) return
  const place = stages.placeOf(root)
  const counts = ruled.counted(run.match, run.entrants, run.outcome)
  if (counts !== null) {
    if (format.readsOutcomes === true)
      after.outcomes.add(place.stage, root - stages.first(place.stage)!, counts.outcome)
    after.sums.add({ ...run, outcome: counts.outcome }, place)
  }
  const isAnnulled = run.entrants.some((name) => decided.annulled.has(name))
  if (isAnnulled) after.ratings.skip(root, place)
  else addRuled(after, { ...run, match: root }, place, counts)
}

function addPlayed(results: Results, { match, entrants, outcome, faults }: FinishedRun, place: StagePlace): void {
  results.ratings.add(match, entrants, outcome, place)
  results.seatResults.add(entrants, outcome, place.extras)
  results.breakdowns.add(match, entrants, outcome, place)
  results.removals.add(entrants, outcome)
  results.tally.add({ entrants, outcome, faults, ...place })
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

/** Adds to a list that keeps its newest items only. */
export function keepNewest<T>(list: T[], one: T): void {
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

/** Why an entrant was removed, and from how many matches. Numbers in which the reasons differ are left out. */
export interface RemovalRow {
  readonly agent: EntrantId
  readonly matches: number
  readonly reason: string
}

/** The reasons of the removals of a contest, by entrant. */
export interface RemovalReasons {
  add(entrants: readonly EntrantId[], outcome: Outcome): void
  /** In the order of the entrants, the most frequent reason of each first. */
  rows(): readonly RemovalRow[]
}

/** Distinct reasons of an entrant that are kept; others are counted together. */
const REASONS_MAX = 20
const OTHERS = 'Other reasons.'
const UNKNOWN = 'No reason was recorded.'

export function createRemovalReasons(names: readonly EntrantId[]): RemovalReasons {
  const reasons = new Map(names.map((name) => [name, new Map<string, { text: string; times: number }>()]))
  return {
    add(entrants, { places }) {
      for (const { seat, removed, reason = UNKNOWN } of places) {
        const groups = removed ? reasons.get(entrants[seat] ?? '') : undefined
        if (groups === undefined) continue
        addText(groups, groups.size < REASONS_MAX || groups.has(patternOf(reason)) ? reason : OTHERS, 1)
      }
    },
    rows: () =>
      [...reasons].flatMap(([agent, groups]) =>
        [...groups.values()]
          .sort((a, b) => b.times - a.times)
          .map(({ text, times }): RemovalRow => ({ agent, matches: times, reason: text })),
      ),
  }
}
