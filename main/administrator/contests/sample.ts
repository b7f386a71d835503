import { hash } from 'node:crypto'
import { USUAL_SAMPLE, type ContestDescription } from '../../contract/contests.ts'
import type { MatchNumber } from '../../contract/ids.ts'
import { randomStream, shuffled } from '../../contract/random.ts'
import { hashOf } from '../../histories/canonical.ts'
import type { FinishedRun } from '../../histories/run-book.ts'

/** From so many matches on at least one is: below, an agent has hardly anything to keep for the next. */
const matchesMin = 20

/** What the sample has found. */
export interface PlayedAgain {
  readonly matches: number
  /** Those that were not played alike, in the order of the schedule. */
  readonly different: readonly MatchNumber[]
}

/**
 * Matches that are played once more, in processes that have never played: agents whose realm was no boundary keep something
 * from one match to the next, and then play otherwise. A pure function of the description; its seed is secret while the
 * contest runs, so no agent knows which they are.
 */
export function sampleOf<M extends { readonly match: MatchNumber }>(
  { seed, sample = USUAL_SAMPLE }: Pick<ContestDescription, 'seed' | 'sample'>,
  schedule: readonly M[],
): readonly M[] {
  const least = sample > 0 && schedule.length >= matchesMin ? 1 : 0
  const count = Math.max(least, Math.round(schedule.length * sample))
  if (count === 0) return []
  const chosen = shuffled(schedule, randomStream(hash('sha256', `sample:${seed}`)))
  return chosen.slice(0, count).sort((a, b) => a.match - b.match)
}

/** What a match came to, for comparing. */
type Played = Pick<FinishedRun, 'outcome' | 'state'>

/** Compares the sample with the matches that count. One that has no result, through the host's fault, is left out. */
export function compare(
  again: ReadonlyMap<MatchNumber, Played>,
  finished: ReadonlyMap<MatchNumber, Played>,
): PlayedAgain {
  const both = [...again].flatMap(([match, second]) => {
    const first = finished.get(match)
    return first === undefined ? [] : [{ match, same: isSame(first, second) }]
  })
  const different = both.filter(({ same }) => !same).map(({ match }) => match)
  return { matches: both.length, different: different.sort((a, b) => a - b) }
}

const isSame = (first: Played, second: Played): boolean =>
  first.state === second.state && hashOf(first.outcome) === hashOf(second.outcome)

/** For the educator. */
export function differenceSentence(match: MatchNumber): string {
  return `Match ${match} went differently when it was played again in fresh processes: an agent in it may have kept something from an earlier match, or answered close to a limit.`
}
