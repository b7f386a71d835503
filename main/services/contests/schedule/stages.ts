import type {
  ContestField,
  EntrantResult,
  GameContests,
  Pairings,
  StageResult,
} from '../../../contract/contests/contest-format.ts'
import type { EntrantId, MatchNumber } from '../../../contract/ids.ts'
import type { FinishedRun } from '../../../histories/segments/run-index.ts'
import { pointsOf } from '../formats/counting.ts'
import { entrantPlaces, winnerOfEntrants } from '../formats/entrant-places.ts'

export interface StagesOptions {
  /** The number of matches in each stage; those of later stages may turn out to be others. */
  readonly lengths: readonly number[]
  readonly names: readonly EntrantId[]
  readonly contests: GameContests
  /** True if places name the variant of a match, for which its pairing must be computed. */
  readonly hasVariants: boolean
  /** The field, if the educator has decided something. */
  readonly field?: ContestField | undefined
  /** The indices of the matches that are not played because of a withdrawal, by stage; they are added here. */
  readonly unplayed: readonly Set<number>[]
  /** True for a match that is finished or void. */
  isOver(match: MatchNumber): boolean
  /** The pairings of the stage that follows these results, which belong to these pairings. */
  next(results: readonly StageResult[], pairings: readonly Pairings[]): Pairings
}

/** The place of a match in its contest. */
export interface StagePlace {
  readonly stage: number
  /** Indices of the entrants for whom the match does not count. */
  readonly extras: readonly number[]
  /** See `PlayedMatch.unit`. */
  readonly unit: number
  /** The number of matches in the unit. */
  readonly unitSize: number
  /** See `Pairing.variant`; undefined also if no variants are counted. */
  readonly variant: number | undefined
}

interface Stage {
  /** Absent until the stages before it are over. */
  pairings: Pairings | undefined
  length: number
  /** Matches that are neither finished nor void. */
  open: number
}

/** Units of different stages have different numbers. */
const STAGE_UNITS = 2 ** 32

/** The progress of a contest's stages, and entrants' results in each. */
interface Progress extends Omit<StagesOptions, 'lengths'> {
  readonly stages: readonly Stage[]
  readonly sums: StageSums
  /** The number of each stage's first match, and at the end that of all matches. */
  firsts: readonly number[]
  /** See `Stages.takeUnplayed`. */
  newlyUnplayed: MatchNumber[]
}

/** The results of entrants by stage. */
export interface StageSums {
  /** Those of the first stages, as far as they are known. */
  first(stages: number): readonly StageResult[]
  /** Adds the result of a match at its place. */
  add(run: Pick<FinishedRun, 'entrants' | 'outcome'>, place: Pick<StagePlace, 'stage' | 'extras'>): void
}

/** The stages of a contest, as its matches end. */
export interface Stages {
  /** The number of finished stages. */
  readonly over: number
  /** The results of the finished stages, in order. */
  results(): readonly StageResult[]
  /** The results of the stages that have begun. */
  soFar(): readonly StageResult[]
  /** The pairings of the stages that have begun. */
  pairings(): readonly Pairings[]
  /** The number of matches in all stages, as far as it is known. */
  readonly total: number
  /** The number of a stage's first match; undefined: there is no such stage. */
  first(stage: number): MatchNumber | undefined
  /**
   * The matches of the first stage that is not over, if the match is of a later one. `to`: exclusive. null: it is not.
   */
  openBefore(match: MatchNumber): { readonly from: MatchNumber; readonly to: MatchNumber } | null
  placeOf(match: MatchNumber): StagePlace
  /** Counts a match as over, finished or void. */
  end(match: MatchNumber): void
  /** Counts the open matches of an entrant in the stages that have begun as over, because it has withdrawn. */
  withdraw(entrant: number): void
  /** The matches that became unplayed since the last call. */
  takeUnplayed(): readonly MatchNumber[]
  /** Adds the result of a match at its place. */
  add(run: Pick<FinishedRun, 'entrants' | 'outcome'>, place: Pick<StagePlace, 'stage' | 'extras'>): void
}

export function createStages({ lengths, ...options }: StagesOptions): Stages {
  const { names } = options
  const progress: Progress = {
    ...options,
    stages: lengths.map((length) => ({ pairings: undefined, length, open: length })),
    sums: createStageSums(lengths.length, names, options.contests),
    firsts: [],
    newlyUnplayed: [],
  }
  const { stages, sums } = progress
  number(progress)
  proceed(progress)
  return {
    results: () => sums.first(overStages(progress)),
    get over() {
      return overStages(progress)
    },
    soFar: () => sums.first(overStages(progress) + 1),
    pairings: () => known(progress),
    get total() {
      return progress.firsts.at(-1)!
    },
    first: (stage) => (stage < stages.length ? progress.firsts[stage] : undefined),
    openBefore(match) {
      const at = stages.findIndex(({ open }) => open > 0)
      if (at === -1 || at === stages.length - 1 || match < progress.firsts[at + 1]!) return null
      return { from: progress.firsts[at]!, to: progress.firsts[at + 1]! }
    },
    placeOf: (match) => placeOf(progress, match, stageOf(progress, match)),
    end(match) {
      const stage = stages[stageOf(progress, match)]!
      stage.open -= 1
      if (stage.open === 0) proceed(progress)
    },
    withdraw(entrant) {
      for (const [at, { pairings, open }] of stages.entries())
        if (pairings !== undefined && open > 0) leaveUnplayed(progress, at, (each) => each === entrant)
      proceed(progress)
    },
    takeUnplayed() {
      const taken = progress.newlyUnplayed
      progress.newlyUnplayed = []
      return taken
    },
    add: (run, place) => sums.add(run, place),
  }
}

/** Ends the open matches of a stage in which one of these entrants would play. */
function leaveUnplayed(progress: Progress, at: number, isAway: (entrant: number) => boolean): void {
  const { stages, firsts, unplayed, isOver } = progress
  const stage = stages[at]!
  for (let index = 0; index < stage.length; index++) {
    const match = firsts[at]! + index
    if (unplayed[at]!.has(index) || isOver(match)) continue
    if (!stage.pairings!.at(index)!.entrants.some(isAway)) continue
    unplayed[at]!.add(index)
    progress.newlyUnplayed.push(match)
    stage.open -= 1
  }
}

function placeOf({ stages, firsts, hasVariants }: Progress, match: MatchNumber, stage: number): StagePlace {
  const pairings = stages[stage]?.pairings
  const index = match - firsts[stage]!
  const unit = pairings?.unit?.(index)
  return {
    stage,
    extras: pairings?.extras?.(index) ?? [],
    // The units of a stage have smaller numbers than those of its matches that belong to none.
    unit: unit === undefined ? match : stage * STAGE_UNITS + unit.id,
    unitSize: unit?.size ?? 1,
    variant: hasVariants ? pairings?.at(index)?.variant : undefined,
  }
}

/** Creates the results of a number of stages without a match. */
export function createStageSums(stages: number, names: readonly EntrantId[], contests: GameContests): StageSums {
  const places = new Map(names.map((name, at) => [name, at]))
  const sums = Array.from({ length: stages }, () => names.map((): Writable<EntrantResult> => ({ ...noResult })))
  return {
    first: (count) => sums.slice(0, count),
    add({ entrants, outcome }, { stage, extras }) {
      const ofStage = sums[stage]
      if (ofStage === undefined) return
      const met = entrantPlaces(outcome, pointsOf(outcome, contests), (seat) => {
        const entrant = places.get(entrants[seat] ?? '') ?? -1
        return extras.includes(entrant) ? -1 : entrant
      })
      const winner = winnerOfEntrants(met)
      for (const [at, { entrant, points, score }] of met.entries()) {
        const sum = ofStage[entrant]
        if (sum === undefined) continue
        sum.matches += 1
        sum.points += points
        sum.score += score
        if (at === winner) sum.wins += 1
      }
    },
  }
}

/** The stage of a match. An empty stage begins where the next one does. */
function stageOf(progress: Progress, match: MatchNumber): number {
  return progress.firsts.findLastIndex((first, at) => match >= first && at < progress.stages.length)
}

/** The number of stages that are over. */
function overStages({ stages }: Progress): number {
  const left = stages.findIndex(({ open }) => open > 0)
  return left === -1 ? stages.length : left
}

function known(progress: Progress): readonly Pairings[] {
  return progress.stages.map(({ pairings }) => pairings).filter((pairings) => pairings !== undefined)
}

/** Numbers the first matches of the stages. */
function number(progress: Progress): void {
  const all = [0]
  for (const { length } of progress.stages) all.push(all.at(-1)! + length)
  progress.firsts = all
}

/** Determines the pairings of stages that follow from the results so far. */
function proceed(progress: Progress): void {
  for (const [at, stage] of progress.stages.entries()) {
    if (stage.pairings === undefined) {
      stage.pairings = progress.next(progress.sums.first(at), known(progress))
      stage.open += stage.pairings.length - stage.length
      stage.length = stage.pairings.length
      number(progress)
      const { left } = progress.field ?? { left: [] }
      if (left.some((from) => from <= at)) leaveUnplayed(progress, at, (entrant) => left[entrant]! <= at)
    }
    if (stage.open > 0) return
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

const noResult: EntrantResult = { matches: 0, points: 0, score: 0, wins: 0 }
