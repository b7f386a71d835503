import type { EntrantResult, GameContests, Pairings, StageResult } from '../../../contract/contests/contest-format.ts'
import type { EntrantId, MatchNumber } from '../../../contract/ids.ts'
import type { FinishedRun } from '../../../histories/segments/run-index.ts'
import { pointsOf } from '../formats/counting.ts'
import { entrantPlaces, winnerOfEntrants } from '../formats/entrant-places.ts'

export interface StagesOptions {
  /** The number of matches in each stage; those of later stages may turn out to be others. */
  readonly lengths: readonly number[]
  readonly names: readonly EntrantId[]
  readonly contests: GameContests
  /** Whether places name the variant of a match, for which its pairing must be computed. */
  readonly hasVariants: boolean
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

/** Tracks the progress of a contest's stages, and entrants' results in each. */
export function createStages({ lengths, names, contests, hasVariants, next }: StagesOptions) {
  const stages = lengths.map((length): Stage => ({ pairings: undefined, length, open: length }))
  const places = new Map(names.map((name, at) => [name, at]))
  const sums = lengths.map(() => names.map((): Writable<EntrantResult> => ({ ...noResult })))
  /** The number of each stage's first match, and at the end that of all matches. */
  let firsts: readonly number[] = []
  // An empty stage begins where the next one does.
  const stageOf = (match: MatchNumber): number =>
    firsts.findLastIndex((first, at) => match >= first && at < stages.length)

  /** The results of the finished stages, in order. */
  const results = (): readonly StageResult[] => {
    const left = stages.findIndex(({ open }) => open > 0)
    return left === -1 ? sums : sums.slice(0, left)
  }

  const known = (): readonly Pairings[] =>
    stages.map(({ pairings }) => pairings).filter((pairings) => pairings !== undefined)

  const number = (): void => {
    const all = [0]
    for (const { length } of stages) all.push(all.at(-1)! + length)
    firsts = all
  }

  /** Determines the pairings of stages that follow from the results so far. */
  const proceed = (): void => {
    for (const [at, stage] of stages.entries()) {
      if (stage.pairings === undefined) {
        stage.pairings = next(sums.slice(0, at), known())
        stage.open += stage.pairings.length - stage.length
        stage.length = stage.pairings.length
        number()
      }
      if (stage.open > 0) return
    }
  }
  number()
  proceed()

  return {
    results,
    /** The results of the stages that have begun. */
    soFar: (): readonly StageResult[] => sums.slice(0, results().length + 1),
    /** The pairings of the stages that have begun. */
    pairings: known,
    /** The number of matches in all stages, as far as it is known. */
    get total() {
      return firsts.at(-1)!
    },
    /** The number of a stage's first match; undefined: there is no such stage. */
    first: (stage: number): MatchNumber | undefined => (stage < stages.length ? firsts[stage] : undefined),
    /**
     * The matches of the first stage that is not over, if the match is of a later one. `to`: exclusive. null: it is not.
     */
    openBefore(match: MatchNumber): { readonly from: MatchNumber; readonly to: MatchNumber } | null {
      const at = stages.findIndex(({ open }) => open > 0)
      if (at === -1 || at === stages.length - 1 || match < firsts[at + 1]!) return null
      return { from: firsts[at]!, to: firsts[at + 1]! }
    },
    placeOf(match: MatchNumber): StagePlace {
      const stage = stageOf(match)
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
    },
    /** Counts a match as over, finished or void. */
    end(match: MatchNumber): void {
      const stage = stages[stageOf(match)]!
      stage.open -= 1
      if (stage.open === 0) proceed()
    },
    add(
      { entrants, outcome }: Pick<FinishedRun, 'entrants' | 'outcome'>,
      { stage, extras }: Pick<StagePlace, 'stage' | 'extras'>,
    ): void {
      const results = sums[stage]
      if (results === undefined) return
      const met = entrantPlaces(outcome, pointsOf(outcome, contests), (seat) => {
        const entrant = places.get(entrants[seat] ?? '') ?? -1
        return extras.includes(entrant) ? -1 : entrant
      })
      const winner = winnerOfEntrants(met)
      for (const [at, { entrant, points, score }] of met.entries()) {
        const sum = results[entrant]
        if (sum === undefined) continue
        sum.matches += 1
        sum.points += points
        sum.score += score
        if (at === winner) sum.wins += 1
      }
    },
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

const noResult: EntrantResult = { matches: 0, points: 0, score: 0, wins: 0 }
