import type { EntrantResult, GameContests, StageResult } from '../../contract/contest-format.ts'
import type { EntrantId, MatchNumber } from '../../contract/ids.ts'
import type { FinishedRun } from '../../histories/run-index.ts'
import { pointsOf } from './counting.ts'

/** Tracks the progress of a contest's stages, and entrants' results in all stages except the last. */
export function createStages(lengths: readonly number[], names: readonly EntrantId[], contests: GameContests) {
  const firsts = lengths.map((_, stage) => lengths.slice(0, stage).reduce((sum, length) => sum + length, 0))
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const open = [...lengths]
  const places = new Map(names.map((name, at) => [name, at]))
  // No stage depends on the last one.
  const sums = lengths.slice(0, -1).map(() => names.map((): Writable<EntrantResult> => ({ ...noResult })))
  const stageOf = (match: MatchNumber): number => firsts.findLastIndex((first) => match >= first)
  return {
    total,
    /** The number of each stage's first match. */
    firsts,
    /** The results of the finished stages, in order. */
    results(): readonly StageResult[] {
      const left = open.findIndex((count) => count > 0)
      return left === -1 ? sums : sums.slice(0, left)
    },
    /** Counts a match as over, finished or void. */
    end(match: MatchNumber): void {
      open[stageOf(match)]! -= 1
    },
    add({ match, entrants, outcome }: Pick<FinishedRun, 'match' | 'entrants' | 'outcome'>): void {
      const stage = sums[stageOf(match)]
      if (stage === undefined) return
      const points = pointsOf(outcome, contests)
      for (const [at, { seat, rank, removed, score }] of outcome.places.entries()) {
        const sum = stage[places.get(entrants[seat] ?? '') ?? -1]
        if (sum === undefined) continue
        sum.matches += 1
        sum.points += points[at]!
        sum.score += score
        if (rank === 1 && !removed) sum.wins += 1
      }
    },
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

const noResult: EntrantResult = { matches: 0, points: 0, score: 0, wins: 0 }
